// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.guest.GuestCommand;
import io.github.rdma4j.testbed.guest.GuestSession;
import io.github.rdma4j.testbed.guest.KernelVm;
import io.github.rdma4j.testbed.guest.NodeGroup;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One to eight virtual machines, each with a working RDMA device, for a test. This machine needs neither RDMA nor root.
 * Thread-safe.
 *
 * <pre>{@code
 * try (Testbed testbed = Testbed.builder().nodes(2).start()) {
 *     Node client = testbed.node(1);
 *     Node server = testbed.node(2);
 *     ...
 *     GuestProcess peer = server.start("rping", "-s", "-P", "-a", "10.77.0.2");
 *     ...
 *     try (Closeable loss = server.impair(Netem.loss(10))) {
 *         client.exec("rping", "-c", "-C", "3", "-a", "10.77.0.2").requireSuccess();
 *     }
 *     ...
 * }
 * }</pre>
 *
 * <p>Closing a testbed ends its commands with TERM, after 2 s with KILL, and then its nodes. Waits of other threads end
 * with a {@link TestbedFailureException}. If this JVM ends without closing a testbed, even by SIGKILL, the nodes end
 * with it.
 */
public final class Testbed implements AutoCloseable {
    /** Commands have 2 s to end; then a node writes out its shares. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final NodeGroup group;
    private final Device device;
    private final int ports;
    private final int manager;
    private final List<NodeRuntime> runtimes = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private Testbed(NodeGroup group, Device device, int ports, int manager) {
        this.group = group;
        this.device = device;
        this.ports = ports;
        this.manager = manager;
    }

    /** Starts one node with the defaults of {@link #builder}. */
    public static Testbed start() throws IOException, InterruptedException {
        return builder().start();
    }

    /** A builder of a testbed: by default one node with {@code rxe0}, 2 processors and 3072 MiB. */
    public static Builder builder() {
        return new Builder();
    }

    /** The nodes, node 1 first. */
    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /** The exec client of the only node, for {@link ServedNode}. */
    ExecClient onlyClient() {
        return runtimes.get(0).client;
    }

    /** A node by its number, from 1. */
    public Node node(int number) {
        if (number < 1 || number > nodes.size()) {
            throw new IllegalArgumentException("the testbed has nodes 1 to " + nodes.size() + ", not " + number);
        }
        return nodes.get(number - 1);
    }

    /**
     * Captures all frames between the nodes until the capture is closed.
     *
     * @throws IllegalStateException if the testbed has one node, and so no network
     */
    public Capture capture() {
        return new Capture(ethernet());
    }

    /**
     * Stops all frames between two nodes, in both directions, until the result is closed. Both nodes still reach all
     * other nodes, and this program reaches both nodes.
     *
     * @throws IllegalArgumentException if both nodes are the same
     */
    public Closeable partition(Node one, Node other) {
        if (one.number() == other.number()) {
            throw new IllegalArgumentException("a partition is between two nodes, not " + one + " and itself");
        }
        VirtualEthernet ethernet = ethernet();
        ethernet.faults().cut(one.number(), other.number());
        return new Fault(
                "partition between " + one + " and " + other,
                () -> ethernet.faults().mend(one.number(), other.number()));
    }

    /**
     * The link of port 1 of a node of a testbed with InfiniBand.
     *
     * @throws IllegalStateException if the testbed has one node, which is its own neighbour, or another device
     */
    public Link link(int node) {
        return link(node, 1);
    }

    /**
     * The link of a port of a node of a testbed with InfiniBand.
     *
     * @throws IllegalStateException if the testbed has one node, which is its own neighbour, or another device
     */
    public Link link(int node, int port) {
        if (port < 1 || port > ports) {
            throw new IllegalArgumentException("the nodes have ports 1 to " + ports + ", not " + port);
        }
        return new Link(
                node(node).number(),
                port,
                group.fabric()
                        .orElseThrow(() -> new IllegalStateException(
                                "only testbeds of several nodes with the device ib have links to a switch")));
    }

    /**
     * The subnet manager of a testbed with InfiniBand, on the node that {@link Builder#subnetManager} has named.
     *
     * @throws IllegalStateException if the testbed has another device, or was started without a manager
     */
    public SubnetManager subnetManager() {
        if (manager == 0) {
            throw new IllegalStateException("this testbed was started without a subnet manager; name its node");
        }
        return subnetManager(manager);
    }

    /**
     * The subnet manager of a node of a testbed with InfiniBand, which {@link SubnetManager#restart} starts if it does
     * not run.
     *
     * @throws IllegalStateException if the testbed has another device
     */
    public SubnetManager subnetManager(int node) {
        if (device != Device.IB) {
            throw new IllegalStateException("only a testbed with the device ib has a subnet manager");
        }
        return new SubnetManager(node(node), group.fabric());
    }

    private VirtualEthernet ethernet() {
        return group.ethernet()
                .orElseThrow(() -> new IllegalStateException("a testbed of one node has no network between nodes"));
    }

    /** Ends all commands and nodes. A second close does nothing. */
    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        runtimes.forEach(NodeRuntime::quit);
        Deadline deadline = Deadline.after(PATIENCE);
        try {
            for (NodeRuntime runtime : runtimes) {
                runtime.join(TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted; the nodes were ended as by a power failure");
        } finally {
            end();
        }
    }

    private void end() throws IOException {
        try {
            group.close();
        } catch (TestbedException e) {
            throw TestbedFailureException.of("", e);
        }
    }

    private void awaitNodes(int first) throws IOException, InterruptedException {
        String networkDevice = group.ethernet().isPresent() || device == Device.PVRDMA ? "eth0" : "veth0";
        List<String> networkDevices =
                ports == 1 ? List.of(networkDevice) : List.of(networkDevice, networkDevice.replace('0', '1'));
        for (GuestSession session : group.sessions()) {
            runtimes.add(new NodeRuntime(group, session, first + runtimes.size()));
        }
        for (NodeRuntime runtime : runtimes) {
            List<String> facts = runtime.client.awaitServer();
            nodes.add(new Node(runtime, facts, device.devices().linkType(), networkDevices));
        }
    }

    /** Starts a {@link Testbed}. */
    public static final class Builder {
        private static final int LEAST_MEMORY_MIB = 256;

        private int nodes = 1;
        private int ports = 1;
        private int switches = 1;
        private int manager = 1;
        private Optional<Backend> backend = Optional.empty();
        private Optional<String> kernel = Optional.empty();
        private Optional<NodeGroup.Membership> membership = Optional.empty();
        private Device device = Device.RXE;
        private int memoryMib = MachineSpec.DEFAULT_MEMORY_MIB;
        private int cpus = 2;
        private boolean parallel;
        private final List<Path> shares = new ArrayList<>();
        private final List<String> kernelArguments = new ArrayList<>();

        private Builder() {}

        /** The number of nodes, 1 to 8. Several nodes are on one Ethernet, with the addresses 10.77.0.N and fd77::N. */
        public Builder nodes(int count) {
            nodes = inRange("nodes", count, 1, NodeLink.MOST_NODES);
            return this;
        }

        /**
         * The number of ports of each node's InfiniBand device, 1 or 2. Port 2 has the addresses 10.78.0.N and fd78::N on
         * {@code ib1}.
         */
        public Builder ports(int count) {
            ports = inRange("ports", count, 1, NodeLink.MOST_PORTS);
            return this;
        }

        /**
         * The number of switches between several nodes with InfiniBand, 1 to 8, and no more than nodes. Switches stand in
         * a row, and the nodes are spread over them in order.
         */
        public Builder switches(int count) {
            switches = inRange("switches", count, 1, NodeLink.MOST_NODES);
            return this;
        }

        /**
         * The node with the subnet manager of InfiniBand, 1 by default; 0 for none: the ports stay INIT until somebody
         * starts a manager, for example by {@link SubnetManager#restart}.
         */
        public Builder subnetManager(int node) {
            manager = inRange("node of the subnet manager", node, 0, NodeLink.MOST_NODES);
            return this;
        }

        /**
         * The kernel of the nodes: {@code 6.1}, {@code 6.12} or {@code 7.2}. The first use of a kernel downloads 70 MB. Nodes
         * with an emulated arm64 processor have {@code 6.1-arm64}, {@code 6.12-arm64} or, with pages of 16 KiB, {@code
         * 6.12-arm64-16k}; the first use downloads 170 MB.
         */
        public Builder kernel(String series) {
            kernel = Optional.of(series);
            return this;
        }

        /**
         * The kind of the nodes, {@link Backend#VM} or {@link Backend#UML}. The default is VM if the builder has a
         * kernel, a kernel argument or a device other than rxe and ib, and the choice of {@link Backend} otherwise.
         */
        public Builder backend(Backend kind) {
            if (kind != Backend.VM && kind != Backend.UML) {
                throw new IllegalArgumentException("the nodes of a testbed are uml or vm, not " + kind.label());
            }
            backend = Optional.of(kind);
            return this;
        }

        /** The RDMA device of each node. */
        public Builder device(Device kind) {
            device = kind;
            return this;
        }

        /** The memory of each node in MiB, at least 256. Files that a node writes take memory too. */
        public Builder memoryMib(int mebibytes) {
            memoryMib = inRange("memory in MiB", mebibytes, LEAST_MEMORY_MIB, Integer.MAX_VALUE);
            return this;
        }

        /** The processors of each node, 1 to 255. */
        public Builder cpus(int count) {
            cpus = inRange("processors", count, 1, 255);
            return this;
        }

        /** Lets emulated processors run at the same time, as {@code --parallel} of {@code testbed run} does. */
        public Builder parallel(boolean wanted) {
            parallel = wanted;
            return this;
        }

        /** Makes a directory of this machine writable on every node, at the same path. Can be repeated. */
        public Builder share(Path directory) {
            shares.add(directory.toAbsolutePath().normalize());
            return this;
        }

        /** Adds a word to the command line of the nodes' kernel. Can be repeated. */
        public Builder kernelArgument(String word) {
            kernelArguments.add(word);
            return this;
        }

        /** Makes the node of this testbed a node among the nodes of other processes. */
        Builder member(NodeGroup.Membership place) {
            membership = Optional.of(place);
            return this;
        }

        private static int inRange(String what, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(what + ": " + least + " to " + most + ", not " + value);
            }
            return value;
        }

        /**
         * Starts the nodes and returns when each has an active RDMA device.
         *
         * @throws TestbedFailureException if the nodes cannot start, for example without QEMU; the message says what to
         *     do
         */
        public Testbed start() throws IOException, InterruptedException {
            if (nodes > 1 && (device == Device.NONE || device == Device.PVRDMA)) {
                throw new IllegalArgumentException(
                        "several nodes need a device that reaches other nodes: rxe, siw or ib");
            }
            if (manager > nodes && membership.isEmpty()) {
                throw new IllegalArgumentException("there is no node " + manager + " for the subnet manager");
            }
            if (ports > 1 && (device != Device.IB || membership.isPresent())) {
                throw new IllegalArgumentException(
                        "several ports need the device ib, and nodes that are all of this testbed");
            }
            if (switches > nodes || (switches > 1 && device != Device.IB)) {
                throw new IllegalArgumentException("switches: 1 to " + (device == Device.IB ? nodes : 1) + ", not "
                        + switches + "; several need the device ib and at least as many nodes");
            }
            Testbed testbed = new Testbed(powerOn(), device, ports, manager);
            boolean ready = false;
            try {
                testbed.awaitNodes(membership.map(NodeGroup.Membership::node).orElse(1));
                ready = true;
                return testbed;
            } finally {
                if (!ready) {
                    testbed.end();
                }
            }
        }

        private Backend kind() throws TestbedException {
            boolean other = device == Device.SIW || device == Device.PVRDMA;
            boolean onlyVm = kernel.isPresent() || other || !kernelArguments.isEmpty();
            if (onlyVm && backend.equals(Optional.of(Backend.UML))) {
                throw new TestbedException("nodes of uml have a kernel of their own, and rxe or ib");
            }
            Backend kind = onlyVm ? Backend.VM : Backend.resolve(backend);
            if (kind != Backend.VM && kind != Backend.UML) {
                throw new TestbedException("the nodes of a testbed are uml or vm, not " + kind.label() + "; "
                        + Backend.PROPERTY + " or " + Backend.VARIABLE + " names that");
            }
            return kind;
        }

        private NodeGroup powerOn() throws IOException, InterruptedException {
            try {
                KernelRelease release = kernel.isPresent() ? KernelRelease.of(kernel.get()) : KernelRelease.DEFAULT;
                KernelVm vm = KernelVm.prepare(kind() == Backend.UML, release, false, Progress.onStandardError());
                Devices devices = device.devices();
                Devices.Files files = vm.deviceFiles(devices);
                List<String> words = new ArrayList<>(kernelArguments);
                words.addAll(SubnetManager.kernelArguments(manager));
                words.addAll(NodeLink.kernelArguments(ports));
                MachineSpec machine = new MachineSpec(memoryMib, cpus, devices, files, shares, words, parallel);
                GuestCommand guest = GuestCommand.of(machine, ExecClient.serverCommandLine());
                return membership.isPresent()
                        ? vm.launch(guest, membership.get())
                        : vm.launch(
                                Collections.nCopies(nodes, guest), new NodeGroup.Network(nodes, null, ports, switches));
            } catch (TestbedException e) {
                throw TestbedFailureException.of("the testbed cannot be started: ", e);
            }
        }
    }

    /** The RDMA device of a testbed's nodes. */
    public enum Device {
        /** {@code rxe0}: RoCE version 2 in software. */
        RXE,
        /**
         * {@code siw0}: iWARP in software. The first use for a kernel builds the module (needs gcc and make; about a
         * minute).
         */
        SIW,
        /** {@code vmw_pvrdma0}: QEMU's device, whose queues the process makes. It reaches no other node. */
        PVRDMA,
        /**
         * {@code softib0}: InfiniBand in software, with IPoIB on {@code ib0} and OpenSM on one node. In {@link Backend#VM}
         * the first use for a kernel builds the module, as for {@link #SIW}.
         */
        IB,
        /** No device: a machine without RDMA. */
        NONE;

        static Device of(Devices devices) {
            return valueOf(devices.name());
        }

        Devices devices() {
            return Devices.valueOf(name());
        }
    }
}
