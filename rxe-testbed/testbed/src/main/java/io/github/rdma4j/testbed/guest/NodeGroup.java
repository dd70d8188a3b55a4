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
import java.util.Optional;
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
            List<GuestCommand> commands = new ArrayList<>(List.of(command));
            for (int node = 2; node <= nodes; node++) {
                commands.add(command.with(NODE_PROGRAM, "serve"));
            }
            group.powerOn(hypervisor, commands, capture);
            return group;
        } catch (IOException e) {
            group.close();
            throw new TestbedException("cannot make the network of the nodes: " + e.getMessage(), e);
        } catch (TestbedException | InterruptedException e) {
            group.close();
            throw e;
        }
    }

    /** Powers on a guest for each command. A guest that is alone has no Ethernet. */
    public static NodeGroup launch(Hypervisor hypervisor, List<GuestCommand> commands)
            throws TestbedException, InterruptedException {
        NodeGroup group = create(commands.size());
        try {
            if (commands.size() == 1) {
                group.sessions.add(GuestSession.launch(hypervisor, commands.get(0), null));
            } else {
                group.powerOn(hypervisor, commands, null);
            }
            return group;
        } catch (IOException e) {
            group.close();
            throw new TestbedException("cannot make the network of the nodes: " + e.getMessage(), e);
        } catch (TestbedException | InterruptedException e) {
            group.close();
            throw e;
        }
    }

    /** Powers on one guest among those of other processes. Waits for node 1, and for no other node. */
    public static NodeGroup launch(Hypervisor hypervisor, GuestCommand command, Membership membership)
            throws TestbedException, InterruptedException {
        NodeGroup group = create(1);
        try {
            NodeLink link = group.link(membership.node(), null);
            membership.connect(group.networks.get(0));
            group.sessions.add(GuestSession.launch(hypervisor, command, link));
            return group;
        } catch (IOException e) {
            group.close();
            throw new TestbedException("cannot join the network of the nodes: " + e.getMessage(), e);
        } catch (TestbedException | InterruptedException e) {
            group.close();
            throw e;
        }
    }

    private static NodeGroup create(int nodes) throws TestbedException {
        try {
            return new NodeGroup(RuntimeDirectory.create(), nodes);
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets of the nodes: " + RuntimeDirectory.problem(e), e);
        }
    }

    private void powerOn(Hypervisor hypervisor, List<GuestCommand> commands, @Nullable Path capture)
            throws IOException, TestbedException, InterruptedException {
        NodeLink first = link(1, capture);
        for (int node = 1; node <= commands.size(); node++) {
            NodeLink link = new NodeLink(node, first.ethernet(), first.control());
            sessions.add(GuestSession.launch(hypervisor, commands.get(node - 1), link));
        }
    }

    /** Makes the networks, and returns how this node reaches them. */
    private NodeLink link(int node, @Nullable Path capture) throws IOException {
        return new NodeLink(node, network("ethernet", capture), network("nodes", null));
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

    /** The guests, node 1 first. */
    public List<GuestSession> sessions() {
        return List.copyOf(sessions);
    }

    /** The Ethernet under the RDMA devices; none where a guest is alone. */
    public Optional<VirtualEthernet> ethernet() {
        return networks.isEmpty() ? Optional.empty() : Optional.of(networks.get(0));
    }

    /** Runs the command of one guest to its end. The guests' commands start together, so each guest needs a thread. */
    public GuestResult run(GuestSession session, GuestStreams streams)
            throws GuestFailureException, InterruptedException {
        try {
            return session.run(streams, this::awaitAll);
        } finally {
            ready.countDown();
        }
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
