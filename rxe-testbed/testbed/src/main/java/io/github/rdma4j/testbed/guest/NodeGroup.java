// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.fabric.IbFabric;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.HostSignals;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.GuestFailureException;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.PcapFile;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Several guests on one virtual Ethernet. The first guest runs the command; the other guests run {@code node.pl}, which
 * runs commands for the first guest. No command starts before all guests have their network and device.
 */
public final class NodeGroup implements AutoCloseable {
    private static final String NODE_PROGRAM = "/run/rdma4j/node.pl";

    /** Stays as long as the guests, because a machine may connect to a network after it has connected its ports. */
    private final RuntimeDirectory directory;

    private final List<GuestSession> sessions = new ArrayList<>();
    private final List<Thread> runners = new ArrayList<>();
    private final List<VirtualEthernet> networks = new ArrayList<>();
    private Optional<IbFabric> fabric = Optional.empty();
    private final Set<GuestSession> abandoned = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ready;
    private final AtomicReference<@Nullable GuestFailureException> failure = new AtomicReference<>();

    private NodeGroup(int nodes) throws TestbedException {
        ready = new CountDownLatch(nodes);
        try {
            directory = RuntimeDirectory.create();
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets of the nodes: " + RuntimeDirectory.problem(e), e);
        }
    }

    /**
     * The network between the guests.
     *
     * @param nodes the number of guests
     * @param capture a file for every frame of the Ethernet, in the format of libpcap; null for no capture
     * @param ports the number of ports of each guest's device, and so of its connections to the Ethernet
     * @param switches the number of switches between guests with InfiniBand
     */
    public record Network(int nodes, @Nullable Path capture, int ports, int switches) {}

    /** Powers a group on. */
    private interface PowerOn {
        void run(NodeGroup group) throws IOException, TestbedException, InterruptedException;
    }

    /** The commands of several guests: the first guest runs the command, and the other guests serve the first. */
    static List<GuestCommand> commands(GuestCommand command, int nodes) {
        List<GuestCommand> commands = new ArrayList<>(List.of(command));
        GuestCommand server = GuestCommand.of(command.machine(), List.of(NODE_PROGRAM, "serve"));
        commands.addAll(Collections.nCopies(nodes - 1, server));
        return commands;
    }

    /**
     * Powers on a guest for each command. A guest that is alone has no Ethernet.
     *
     * @param network the network between the guests, for as many guests as there are commands
     */
    static NodeGroup launch(Hypervisor hypervisor, List<GuestCommand> commands, Network network)
            throws TestbedException, InterruptedException {
        return launch(commands.size(), group -> {
            boolean infiniBand = commands.get(0).machine().devices() == Devices.IB;
            Path capture = network.capture();
            NodeLink first = commands.size() == 1
                    ? null
                    : group.link(1, network.ports(), capture == null ? null : PcapFile.create(capture, infiniBand));
            if (first != null && infiniBand) {
                group.connectBySwitches(network);
            }
            for (int node = 1; node <= commands.size(); node++) {
                NodeLink link =
                        first == null ? null : new NodeLink(node, network.ports(), first.ethernet(), first.control());
                group.sessions.add(new GuestSession(hypervisor, commands.get(node - 1), link));
            }
        });
    }

    /** Powers on one guest among the guests of other processes. Waits for node 1 only. */
    public static NodeGroup launch(Hypervisor hypervisor, GuestCommand command, Membership membership)
            throws TestbedException, InterruptedException {
        return launch(1, group -> {
            NodeLink link = group.link(membership.node(), 1, null);
            membership.connect(group.networks.get(0));
            group.sessions.add(new GuestSession(hypervisor, command, link));
        });
    }

    private static NodeGroup launch(int nodes, PowerOn powerOn) throws TestbedException, InterruptedException {
        NodeGroup group = new NodeGroup(nodes);
        boolean started = false;
        try {
            powerOn.run(group);
            started = true;
            return group;
        } catch (IOException e) {
            throw new TestbedException("cannot make or join the network of the nodes: " + e.getMessage(), e);
        } finally {
            if (!started) {
                group.close();
            }
        }
    }

    /** Makes the networks and returns the link of this node. */
    private NodeLink link(int node, int ports, @Nullable PcapFile capture) throws IOException {
        return new NodeLink(node, ports, network("ethernet", capture), network("nodes", null));
    }

    private void connectBySwitches(Network network) {
        VirtualEthernet ethernet = networks.get(0);
        IbFabric switches = new IbFabric(network.nodes(), network.ports(), network.switches(), ethernet::send);
        fabric = Optional.of(switches);
        ethernet.switchBy(switches);
    }

    private Path network(String name, @Nullable PcapFile capture) throws IOException {
        Path socket = directory.resolve(name);
        networks.add(VirtualEthernet.open(socket, capture));
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

    /** The Ethernet under the RDMA devices; empty for a single guest. */
    public Optional<VirtualEthernet> ethernet() {
        return networks.isEmpty() ? Optional.empty() : Optional.of(networks.get(0));
    }

    /** The switches between several guests with InfiniBand. */
    public Optional<IbFabric> fabric() {
        return fabric;
    }

    /** Runs the command of one guest to its end. All commands start together, so each guest needs a thread. */
    public GuestSession.Result run(GuestSession session, GuestSession.Streams streams)
            throws GuestFailureException, InterruptedException {
        try {
            return session.run(streams, this::awaitAll);
        } finally {
            ready.countDown();
        }
    }

    /** Runs the command to its end, and then ends the other nodes. */
    public GuestSession.Result run(GuestSession.Streams streams) throws TestbedException, InterruptedException {
        for (int i = 1; i < sessions.size(); i++) {
            GuestSession session = sessions.get(i);
            int node = i + 1;
            runners.add(Daemon.start("node-" + node, () -> serve(session, node, streams.error())));
        }
        GuestSession.Result result;
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
            session.run(new GuestSession.Streams(InputStream.nullInputStream(), errors, errors), this::awaitAll);
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

    // An earlier failure of another node is the reason why the first node was ended.
    private GuestFailureException named(int node, GuestFailureException e) {
        if (sessions.size() == 1) {
            return e;
        }
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

    // Nodes are asked to end, not killed, so that their commands' writes to shares are complete. A node that has not
    // started has written nothing.
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
        fabric.ifPresent(IbFabric::close);
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

    /**
     * The place of a guest among guests of other processes, for example in other containers. Node 1 listens in a shared
     * directory, and the other nodes connect.
     *
     * @param node the guest's number, from 1
     * @param directory the directory that the processes share
     */
    public record Membership(int node, Path directory) {
        private static final String SOCKET = "ethernet";
        private static final Duration PATIENCE = Duration.ofMinutes(2);
        private static final int RETRY_MILLIS = 50;

        public Membership {
            if (node < 1 || node > NodeLink.MOST_NODES) {
                throw new IllegalArgumentException("a node is 1 to " + NodeLink.MOST_NODES + ", not " + node);
            }
        }

        /** Connects the Ethernet of this process with the Ethernet of node 1, which may start later. */
        void connect(VirtualEthernet ethernet) throws IOException, TestbedException, InterruptedException {
            Path socket = directory.resolve(SOCKET);
            if (node == 1) {
                if (!Files.isDirectory(directory)) {
                    throw new TestbedException("there is no directory " + directory + " to meet the other nodes in");
                }
                ethernet.meetAt(socket);
                return;
            }
            Deadline deadline = Deadline.after(PATIENCE);
            while (!joined(ethernet, socket, deadline)) {
                Thread.sleep(RETRY_MILLIS);
            }
        }

        private boolean joined(VirtualEthernet ethernet, Path socket, Deadline deadline) throws TestbedException {
            try {
                ethernet.join(socket);
                return true;
            } catch (IOException e) {
                if (deadline.expired()) {
                    throw new TestbedException(
                            "node 1 has not come up within " + PATIENCE.toSeconds() + " s at " + socket + ": "
                                    + e.getMessage(),
                            e);
                }
                return false;
            }
        }
    }
}
