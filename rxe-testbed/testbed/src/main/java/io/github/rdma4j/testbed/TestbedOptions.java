// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.guest.NodeGroup;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parsed command line of {@link TestbedMain}. */
final class TestbedOptions {
    KernelRelease kernel = KernelRelease.DEFAULT;

    /** The value of {@code --on}. */
    @Nullable
    Backend on;

    boolean times;
    boolean parallel;
    boolean help;
    int memoryMib = MachineSpec.DEFAULT_MEMORY_MIB;
    int cpus = 2;
    int nodes = 1;

    /** The number of ports of the InfiniBand device of each node. */
    int ports = 1;

    /** The number of switches between nodes with InfiniBand. */
    int switches = 1;

    /** The node with the subnet manager of InfiniBand; 0 for none. */
    int manager = 1;

    /** With {@code serve}: the number of the node. */
    int node = 1;

    /** With {@code serve}: the directory in which nodes of several processes meet. */
    @Nullable
    Path link;

    @Nullable
    Path capture;

    /** The limit of the command in seconds; 0 for none. */
    int timeout;

    Devices devices = Devices.RXE;

    /** The devices that {@code setup} prepares; its option can be repeated. */
    final List<Devices> toSetUp = new ArrayList<>();

    /** The packages that {@code setup} unpacks. */
    final List<UnpackedPackage.Kind> unpacked = new ArrayList<>();

    /** Whether {@code setup} prepares a JVM of the other processor that needs no guest. */
    boolean userMode;

    final List<Path> shares = new ArrayList<>();
    final List<String> kernelArguments = new ArrayList<>();

    /** The number of arguments at the end that are the command. */
    int commandLength;

    private String series = "";
    private String architecture = "";
    private boolean namesKernel;

    /** An option that only QEMU can fulfil, as on the command line. */
    private @Nullable String onlyInQemu;

    private final List<String> arguments;
    private int next = 1;

    private TestbedOptions(List<String> arguments) {
        this.arguments = arguments;
    }

    /** A command line that is wrong; the message says why. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    /** Parses the arguments after the first, which is the subcommand. */
    static TestbedOptions parse(List<String> arguments) throws UsageException, TestbedException {
        TestbedOptions options = new TestbedOptions(arguments);
        options.parseOptions();
        options.chooseKernel();
        options.checkNodes();
        options.commandLength = arguments.size() - options.next;
        return options;
    }

    private void parseOptions() throws UsageException, TestbedException {
        while (next < arguments.size() && arguments.get(next).startsWith("-")) {
            String option = arguments.get(next++);
            switch (option) {
                case "--" -> {
                    return;
                }
                case "--kernel" -> series = value(option);
                case "--arch" -> architecture = value(option);
                case "--on" -> on = place(value(option));
                case "--memory" -> memoryMib = number(option, 256);
                case "--cpus" -> useProcessors(number(option, 1));
                case "--timeout" -> timeout = number(option, 1);
                case "--share" -> shares.add(directory(value(option)));
                case "--kernel-argument" -> kernelArguments.add(value(option));
                case "--no-rxe" -> devices = Devices.NONE;
                case "--device" -> add(device(value(option)));
                case "--nodes" -> nodes = number(option, 1);
                case "--ports" -> ports = number(option, 1);
                case "--switches" -> switches = number(option, 1);
                case "--subnet-manager" -> manager = manager(option);
                case "--pcap" -> capture = path(option);
                case "--times" -> times = true;
                case "--parallel" -> parallel = true;
                case "--opensm" -> unpacked.add(UnpackedPackage.Kind.OPENSM);
                case "--rdma-core" -> unpacked.add(UnpackedPackage.Kind.RDMA_CORE);
                case "--newer-rdma-core" -> unpacked.add(UnpackedPackage.Kind.NEWER_RDMA_CORE);
                case "--docker" -> unpacked.add(UnpackedPackage.Kind.DOCKER);
                case "--user-mode" -> userMode = true;
                case "--node" -> node = number(option, 1);
                case "--link" -> link = path(option);
                case "--help", "-h" -> help = true;
                default -> throw new UsageException("unknown option " + option);
            }
        }
    }

    private void chooseKernel() throws TestbedException {
        if (!architecture.isEmpty()) {
            kernel = KernelRelease.of(series, architecture);
            namesKernel = true;
        } else if (!series.isEmpty()) {
            kernel = KernelRelease.of(series);
            namesKernel = true;
        }
        if (namesKernel && kernel != KernelRelease.SID) {
            onlyInQemu = "--kernel " + kernel.label();
        }
    }

    private void useProcessors(int count) {
        cpus = count;
        if (count > 1) {
            onlyInQemu = "--cpus " + count;
        }
    }

    private void add(Devices wanted) {
        devices = wanted;
        toSetUp.add(wanted);
        if (wanted == Devices.PVRDMA) {
            onlyInQemu = "--device pvrdma";
        }
    }

    private void checkNodes() throws UsageException {
        refuse(nodes > NodeLink.MOST_NODES, "--nodes is at most " + NodeLink.MOST_NODES);
        refuse(
                nodes > 1 && (on == Backend.HOST || devices == Devices.NONE),
                "--nodes cannot be combined with --on host or --no-rxe");
        refuse(
                nodes > 1 && devices == Devices.PVRDMA,
                "--nodes cannot be combined with --device pvrdma, whose queue pairs reach no other guest");
        refuse(
                switches > nodes || (switches > 1 && devices != Devices.IB),
                "--switches goes with --device ib and at least as many --nodes");
        refuse(ports > NodeLink.MOST_PORTS, "--ports is at most " + NodeLink.MOST_PORTS);
        refuse(
                ports > 1 && (devices != Devices.IB || link != null),
                "--ports goes with --device ib, and not with --link");
        refuse(manager != 1 && devices != Devices.IB, "--subnet-manager goes with --device ib");
        refuse(manager > (link == null ? nodes : NodeLink.MOST_NODES), "--subnet-manager is none, or one of the nodes");
        refuse(node > NodeLink.MOST_NODES, "--node is at most " + NodeLink.MOST_NODES);
        refuse(node > 1 && link == null, "--node goes with --link, the directory in which the nodes meet");
        refuse(nodes == 1 && capture != null, "--pcap captures the Ethernet between several --nodes");
    }

    private static void refuse(boolean wrong, String message) throws UsageException {
        if (wrong) {
            throw new UsageException(message);
        }
    }

    private String value(String option) throws UsageException {
        refuse(next == arguments.size(), option + " needs a value");
        return arguments.get(next++);
    }

    private Path path(String option) throws UsageException {
        return Path.of(value(option)).toAbsolutePath().normalize();
    }

    private int number(String option, int least) throws UsageException {
        String text = value(option);
        try {
            int number = Integer.parseInt(text);
            refuse(number < least, option + " is at least " + least);
            return number;
        } catch (NumberFormatException e) {
            throw new UsageException(option + " needs a number, not " + text);
        }
    }

    private int manager(String option) throws UsageException {
        if (next < arguments.size() && arguments.get(next).equals("none")) {
            next++;
            return 0;
        }
        return number(option, 1);
    }

    private static Devices device(String name) throws UsageException {
        return switch (name) {
            case "rxe" -> Devices.RXE;
            case "siw" -> Devices.SIW;
            case "pvrdma" -> Devices.PVRDMA;
            case "ib" -> Devices.IB;
            default -> throw new UsageException("--device is rxe, siw, pvrdma or ib, not " + name);
        };
    }

    private static Backend place(String name) throws UsageException {
        return switch (name) {
            case "uml" -> Backend.UML;
            case "vm" -> Backend.VM;
            case "host" -> Backend.HOST;
            default -> throw new UsageException("--on must be uml, vm or host, not " + name);
        };
    }

    /**
     * The place of the command: the value of {@code --on}, the backend that other options need, or the choice of {@link
     * Backend}.
     */
    Backend backend() throws UsageException, TestbedException {
        if (on == Backend.UML && onlyInQemu != null) {
            throw new UsageException(onlyInQemu + " cannot be combined with --on uml: only QEMU has it");
        }
        if (on != null) {
            return on;
        }
        Optional<Backend> configured = Backend.configured();
        if (needsQemu() && !configured.equals(Optional.of(Backend.HOST))) {
            return Backend.VM;
        }
        return Backend.resolve(Optional.empty());
    }

    /**
     * Whether the options need QEMU. A named kernel is Debian's, and kernel arguments are for a kernel that the caller
     * knows.
     */
    private boolean needsQemu() {
        return onlyInQemu != null || namesKernel || !kernelArguments.isEmpty();
    }

    /** A message if the options overrule {@code configured}; empty if they do not. */
    Optional<String> overruled(Optional<Backend> configured) {
        if (on != null || !needsQemu() || !configured.equals(Optional.of(Backend.UML))) {
            return Optional.empty();
        }
        String option = namesKernel ? "--kernel " + kernel.label() : "--kernel-argument";
        return Optional.of((onlyInQemu == null ? option : onlyInQemu) + " needs a guest in QEMU, so " + Backend.VARIABLE
                + "=uml is overruled");
    }

    /** The node of {@code serve}. */
    Testbed.Builder node() throws UsageException, TestbedException {
        refuse(
                commandLength > 0 || nodes > 1 || capture != null || timeout > 0,
                "serve takes no command, no --nodes, no --pcap and no --timeout");
        Backend place = backend();
        refuse(place == Backend.HOST, "serve needs no guest for a device of this machine; leave out --on host");
        Testbed.Builder builder =
                Testbed.builder().memoryMib(memoryMib).cpus(cpus).parallel(parallel);
        shares.forEach(builder::share);
        kernelArguments.forEach(builder::kernelArgument);
        builder.device(Testbed.Device.of(devices)).subnetManager(manager).ports(ports);
        if (namesKernel) {
            builder.kernel(kernel.label());
        } else {
            builder.backend(place);
        }
        if (link != null) {
            builder.member(new NodeGroup.Membership(node, link));
        }
        return builder;
    }

    private static Path directory(String name) throws UsageException {
        Path path = Path.of(name).toAbsolutePath().normalize();
        refuse(!Files.isDirectory(path), "--share " + name + ": no such directory");
        return path;
    }
}
