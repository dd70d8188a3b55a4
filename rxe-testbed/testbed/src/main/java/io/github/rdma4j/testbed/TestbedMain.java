// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.guest.GuestCommand;
import io.github.rdma4j.testbed.guest.GuestSession;
import io.github.rdma4j.testbed.guest.KernelVm;
import io.github.rdma4j.testbed.guest.NodeGroup;
import io.github.rdma4j.testbed.host.HostSignals;
import io.github.rdma4j.testbed.host.ProcessBytes;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.GuestPrograms;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.image.Workshop;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.GuestFailureException;
import io.github.rdma4j.testbed.machine.MachineProcess;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.qemu.KvmProbe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The testbed's command line. It needs only the classes of this module. */
public final class TestbedMain {
    /** The page of all subcommands. */
    static final String OVERVIEW = "";

    private static final int USAGE_STATUS = 2;
    private static final int SIGNAL_STATUS_BASE = 128;

    private TestbedMain() {}

    /** Runs and ends the JVM with the status that {@link #run} returns. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    /**
     * Runs a command line and returns the exit status. If the arguments hold bytes that the locale's charset cannot
     * decode, they must be the end of this process's command line.
     */
    public static int run(List<String> arguments) {
        if (arguments.isEmpty()) {
            System.err.print(page(OVERVIEW));
            return USAGE_STATUS;
        }
        String verb = arguments.get(0);
        try {
            return switch (verb) {
                case "run", "serve", "setup" -> run(verb, TestbedOptions.parse(arguments), arguments);
                case "--help", "-h", "help" -> help(OVERVIEW);
                default -> throw new TestbedOptions.UsageException("unknown subcommand " + verb);
            };
        } catch (TestbedOptions.UsageException e) {
            System.err.println("testbed: " + e.getMessage() + "; see testbed --help");
            return USAGE_STATUS;
        } catch (TestbedException e) {
            report(e);
            return e.exitStatus();
        } catch (InterruptedException e) {
            return TestbedException.EXIT_STATUS;
        }
    }

    private static int run(String verb, TestbedOptions options, List<String> arguments)
            throws TestbedOptions.UsageException, TestbedException, InterruptedException {
        if (options.help) {
            return help(verb);
        }
        return switch (verb) {
            case "serve" -> ServedNode.serve(options.node());
            case "setup" -> setUp(options);
            default -> runCommand(options, arguments);
        };
    }

    private static int help(String verb) {
        System.out.print(page(verb));
        return 0;
    }

    /** The page of {@code --help} for a subcommand, or the {@link #OVERVIEW}: its lines of {@code help.txt}. */
    static String page(String verb) {
        int column = List.of(OVERVIEW, "run", "serve", "setup").indexOf(verb);
        return Resource.text("help.txt")
                .lines()
                .filter(line -> !line.startsWith("#") && line.charAt(column) != ' ')
                .map(line -> line.substring(line.indexOf('|') + 1) + "\n")
                .collect(Collectors.joining());
    }

    private static void report(TestbedException e) {
        if (e instanceof GuestFailureException failed && !failed.kernelLines().isEmpty()) {
            System.err.println("testbed: the last lines of the guest's kernel:");
            failed.kernelLines().lines().forEach(line -> System.err.println("  | " + line));
        }
        System.err.println("testbed: " + e.getMessage());
    }

    private static int setUp(TestbedOptions options)
            throws TestbedOptions.UsageException, TestbedException, InterruptedException {
        if (options.userMode && options.kernel.architecture().isOfThisMachine()) {
            throw new TestbedOptions.UsageException("--user-mode needs --arch arm64");
        }
        Progress progress = Progress.onStandardError();
        KernelVm vm = KernelVm.prepare(options.on == Backend.UML, options.kernel, true, progress);
        System.err.println("testbed: ready, kernel " + vm.kernelVersion() + " with " + vm.accelerator());
        if (options.on != Backend.UML) {
            KvmProbe.hint(KvmProbe.DEVICE).ifPresent(hint -> System.err.println("testbed: " + hint));
        }
        for (Devices devices : options.toSetUp) {
            vm.deviceFiles(devices).present().forEach(file -> System.err.println("testbed: ready, " + file));
        }
        Workshop shop = Workshop.ofThisProcess(progress);
        for (UnpackedPackage.Kind kind : options.unpacked) {
            UnpackedPackage unpacked = UnpackedPackage.prepare(kind, shop);
            System.err.println("testbed: ready, " + unpacked.program());
        }
        if (options.userMode) {
            System.out.println(GuestPrograms.userModeJava(options.kernel.architecture(), shop));
        }
        return 0;
    }

    private static int runCommand(TestbedOptions options, List<String> arguments)
            throws TestbedOptions.UsageException, TestbedException, InterruptedException {
        if (!options.unpacked.isEmpty() || options.userMode) {
            throw new TestbedOptions.UsageException(
                    "--opensm, --rdma-core, --newer-rdma-core, --docker and --user-mode are options of setup");
        }
        if (options.commandLength == 0) {
            throw new TestbedOptions.UsageException("no command");
        }
        List<String> command = arguments.subList(arguments.size() - options.commandLength, arguments.size());
        Backend backend = options.backend();
        options.overruled(Backend.configured()).ifPresent(text -> System.err.println("testbed: " + text));
        return backend == Backend.HOST ? runOnHost(command) : runInGuest(options, backend, command);
    }

    private static int runInGuest(TestbedOptions options, Backend backend, List<String> command)
            throws TestbedException, InterruptedException {
        StartTimes times = new StartTimes();
        AtomicReference<@Nullable GuestSession> running = new AtomicReference<>();
        HostSignals.handle(number -> {
            boolean toGroup = number == HostSignals.INT || number == HostSignals.HUP;
            GuestSession session = running.get();
            boolean sent = session != null && session.signal(number, toGroup);
            if (!sent && HostSignals.endsProcess(number)) {
                // No command has started; the machine ends with this process.
                Runtime.getRuntime().halt(SIGNAL_STATUS_BASE + number);
            }
        });
        KernelVm vm = KernelVm.prepare(backend == Backend.UML, options.kernel, false, Progress.onStandardError());
        List<String> words = new ArrayList<>(options.kernelArguments);
        words.addAll(SubnetManager.kernelArguments(options.manager));
        words.addAll(NodeLink.kernelArguments(options.ports));
        MachineSpec machine = new MachineSpec(
                options.memoryMib,
                options.cpus,
                options.devices,
                vm.deviceFiles(options.devices),
                options.shares,
                words,
                options.parallel);
        GuestCommand guest = new GuestCommand(machine, ProcessBytes.arguments(command), options.timeout);
        GuestSession.Streams streams = GuestSession.Streams.ofThisProcess();
        long launched = System.nanoTime();
        NodeGroup.Network network =
                new NodeGroup.Network(options.nodes, options.capture, options.ports, options.switches);
        GuestSession.Result result = vm.run(guest, network, streams, running);
        note(result);
        if (options.times) {
            times.print(result.stages(), launched);
        }
        return result.status();
    }

    private static void note(GuestSession.Result result) {
        result.crashReports().forEach(report -> System.err.println("testbed: " + report));
        GuestSession.Clock.complaint(result.clockRatio()).ifPresent(text -> System.err.println("testbed: " + text));
    }

    private static int runOnHost(List<String> command) throws TestbedException, InterruptedException {
        if (!hasRdmaDevice(Path.of("/sys/class/infiniband"))) {
            throw new TestbedException("this machine has no RDMA device (/sys/class/infiniband is empty);"
                    + " run without --on host to use a guest");
        }
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new TestbedException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    private static boolean hasRdmaDevice(Path devices) throws TestbedException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(devices)) {
            return entries.iterator().hasNext();
        } catch (NoSuchFileException | NotDirectoryException e) {
            return false;
        } catch (IOException e) {
            throw new TestbedException("cannot read " + devices + ": " + e.getMessage(), e);
        }
    }

    /** The table of {@code --times}: the time of each stage, from the start of this JVM to the end of the guest. */
    private static final class StartTimes {
        private static final double NANOS_PER_SECOND = 1e9;

        private final long began = System.nanoTime();

        /** Prints the table when the guest has ended. */
        void print(List<MachineProcess.Stage> guest, long launched) {
            long ended = System.nanoTime();
            double uptime = ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0;
            double origin = System.nanoTime() / NANOS_PER_SECOND - uptime;
            double launch = launched / NANOS_PER_SECOND - origin;
            List<MachineProcess.Stage> inOrder = new ArrayList<>(guest);
            inOrder.sort(Comparator.comparing(MachineProcess.Stage::at));
            System.err.println(
                    "testbed: seconds since the start of this program, of the stage, and of processors for the guest");
            double at = line("launcher", 0, began / NANOS_PER_SECOND - origin, 0);
            at = line("cache", at, launch, 0);
            Duration processor = Duration.ZERO;
            for (MachineProcess.Stage stage : inOrder) {
                at = line(
                        stage.name(),
                        at,
                        launch + seconds(stage.at()),
                        seconds(stage.processor().minus(processor)));
                processor = stage.processor();
            }
            line("gone", at, ended / NANOS_PER_SECOND - origin, 0);
        }

        private static double line(String name, double from, double to, double processor) {
            System.err.println(String.format(Locale.ROOT, "  %-8s %7.3f %7.3f %6.2f", name, to, to - from, processor));
            return to;
        }

        private static double seconds(Duration duration) {
            return duration.toNanos() / NANOS_PER_SECOND;
        }
    }
}
