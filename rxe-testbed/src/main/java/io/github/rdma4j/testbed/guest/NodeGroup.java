// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.HostSignals;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.PcapFile;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Several guests on one virtual Ethernet. The first runs the command; the others run {@code node.pl}, which runs what the
 * first asks for. No command starts before all guests have their network and device.
 */
public final class NodeGroup implements AutoCloseable {
    private static final String NODE_PROGRAM = "/run/rdma4j/node.pl";

    /** Kept for as long as the guests: a machine connects to a network at some time after the guest's ports. */
    private final RuntimeDirectory directory;

    private final List<GuestSession> sessions = new ArrayList<>();
    private final List<Thread> runners = new ArrayList<>();
    private final List<VirtualEthernet> networks = new ArrayList<>();
    private final Set<GuestSession> abandoned = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ready;
    private final AtomicReference<@Nullable GuestFailureException> failure = new AtomicReference<>();

    private NodeGroup(RuntimeDirectory directory, int nodes) {
        this.directory = directory;
        ready = new CountDownLatch(nodes);
    }

    /** Powers the guests on. */
    public static NodeGroup launch(Hypervisor hypervisor, GuestCommand command, int nodes, @Nullable Path capture)
            throws TestbedException, InterruptedException {
        NodeGroup group = create(nodes);
        try {
            group.powerOn(hypervisor, command, nodes, capture);
            return group;
        } catch (IOException e) {
            group.close();
            throw new TestbedException("cannot make the network of the nodes: " + e.getMessage(), e);
        } catch (TestbedException | InterruptedException e) {
            group.close();
            throw e;
        }
    }

    private static NodeGroup create(int nodes) throws TestbedException {
        try {
            return new NodeGroup(RuntimeDirectory.create(), nodes);
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets of the nodes: " + e.getMessage(), e);
        }
    }

    private void powerOn(Hypervisor hypervisor, GuestCommand command, int nodes, @Nullable Path capture)
            throws IOException, TestbedException, InterruptedException {
        Path ethernet = network("ethernet", capture);
        Path control = network("nodes", null);
        for (int node = 1; node <= nodes; node++) {
            GuestCommand own = node == 1 ? command : command.with(NODE_PROGRAM, "serve");
            sessions.add(GuestSession.launch(hypervisor, own, new NodeLink(node, ethernet, control)));
        }
    }

    private Path network(String name, @Nullable Path capture) throws IOException {
        Path socket = directory.resolve(name);
        networks.add(VirtualEthernet.open(socket, capture == null ? null : PcapFile.create(capture)));
        return socket;
    }

    /** The guest that runs the command. */
    public GuestSession first() {
        return sessions.get(0);
    }

    /** Runs the command to its end, and then ends the other nodes. */
    public GuestResult run(GuestStreams streams) throws TestbedException, InterruptedException {
        for (int i = 1; i < sessions.size(); i++) {
            GuestSession session = sessions.get(i);
            int node = i + 1;
            runners.add(Daemon.start("node-" + node, () -> serve(session, node, streams.error())));
        }
        GuestResult result;
        try {
            result = first().run(streams, this::awaitAll);
        } catch (GuestFailureException e) {
            throw named(1, e);
        }
        endOthers();
        GuestFailureException other = failure.get();
        if (other != null) {
            throw other;
        }
        return result;
    }

    private void serve(GuestSession session, int node, OutputStream errors) {
        try {
            session.run(new GuestStreams(InputStream.nullInputStream(), errors, errors), this::awaitAll);
        } catch (GuestFailureException e) {
            if (!abandoned.contains(session) && failure.compareAndSet(null, named(node, e))) {
                first().kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ready.countDown();
        }
    }

    // The other nodes' failure comes first: it is why the first node was ended.
    private GuestFailureException named(int node, GuestFailureException e) {
        GuestFailureException earlier = failure.get();
        return earlier != null
                ? earlier
                : new GuestFailureException(e.failure(), "node " + node + ": " + e.getMessage(), e.kernelLines());
    }

    private void awaitAll() {
        ready.countDown();
        try {
            ready.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // Asked and not killed: what their commands wrote to shares is to be there. One that has not started yet wrote
    // none.
    private void endOthers() throws InterruptedException {
        for (GuestSession session : sessions.subList(1, sessions.size())) {
            if (!session.signal(HostSignals.TERM, false)) {
                abandoned.add(session);
                session.kill();
            }
        }
        for (Thread runner : runners) {
            runner.join();
        }
    }

    private void closeNetworks() throws TestbedException {
        try {
            for (VirtualEthernet network : networks) {
                network.close();
            }
        } catch (IOException e) {
            throw new TestbedException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() throws TestbedException {
        sessions.forEach(GuestSession::close);
        try {
            directory.close();
        } catch (IOException e) {
            throw new TestbedException("cannot remove the sockets of the network: " + e.getMessage(), e);
        } finally {
            closeNetworks();
        }
    }
}
