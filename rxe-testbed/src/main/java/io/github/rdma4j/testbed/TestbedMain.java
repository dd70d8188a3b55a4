// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.guest.GuestClock;
import io.github.rdma4j.testbed.guest.GuestCommand;
import io.github.rdma4j.testbed.guest.GuestFailureException;
import io.github.rdma4j.testbed.guest.GuestResult;
import io.github.rdma4j.testbed.guest.GuestStreams;
import io.github.rdma4j.testbed.host.HostSignals;
import io.github.rdma4j.testbed.host.ProcessBytes;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.UmlArchive;
import io.github.rdma4j.testbed.image.UnpackedDocker;
import io.github.rdma4j.testbed.image.UnpackedOpenSm;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.qemu.KvmProbe;
import io.github.rdma4j.testbed.vm.KernelVm;
import io.github.rdma4j.testbed.vm.KernelVm.GuestSignals;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The testbed's command line. It needs nothing but this module's classes. */
public final class TestbedMain {
    private static final int USAGE_STATUS = 2;
    private static final int SIGNAL_STATUS_BASE = 128;
    private static final String USAGE = """
            usage: testbed run [OPTION]... [--] COMMAND [ARGUMENT]...
                   testbed serve [OPTION]... [--node N --link DIR]
                   testbed setup [--on uml [--from ARCHIVE]] [--kernel VERSION] [--device NAME]... [--opensm] [--docker]
                   testbed package --on uml --contact TEXT DIRECTORY
                   testbed pins

            run    runs the command in a guest that sees this machine's files and has a soft-RoCE device
            serve  starts such a guest for commands that come one by one, until a signal ends it: what a container runs, see
                   docs/testbed.md
            setup  downloads and prepares the kernel, which run does too when it has to, and reads what is in the cache anew;
                   with --on uml, builds the kernel of User Mode Linux from Debian's source, which takes minutes, or
                   takes it from an archive
            package writes the kernel of User Mode Linux as such an archive, with its licence and the offer of its source
                   that the licence asks for; the contact says who makes the offer and where to ask
            pins   prints the versions and checksums of the kernels that the Debian archive has now, for the list of the
                   kernels that this testbed downloads (kernels.pins)

              --kernel VERSION         the guest's kernel: 6.1 (default), 6.12 or 7.2
              --on uml|vm|host         run in a guest in User Mode Linux (default where its kernel is in the cache), in a
                                       guest in QEMU, or on this machine if it has an RDMA device
              --share DIR              let the command write to this directory of this machine; may be repeated
              --memory MIB             the guest's memory (default 3072)
              --cpus N                 the guest's processors (default 2)
              --parallel               let emulated processors run at the same time; JVMs then need
                                       -XX:TieredStopAtLevel=1, or they crash
              --timeout SECONDS        end the guest if the command runs longer
              --nodes N                boot N guests on one virtual Ethernet and run the command in the first; there
                                       "testbed-node K -- COMMAND" runs a command in guest K
              --pcap FILE              write every frame between the nodes to a capture file
              --device NAME            rxe (soft-RoCE, by default), siw (iWARP) or pvrdma (QEMU's RDMA device)
              --no-rxe                 load no RDMA module and make no device
              --kernel-argument WORD   add a word to the kernel's command line; may be repeated
              --times                  report on standard error what each stage of the run took
              --opensm                 with setup: also unpack Debian's OpenSM into the cache, for this project's own
                                       tests; it is not installed
              --docker                 with setup: also unpack Debian's Docker engine into the cache, for this project's own
                                       tests; it is not installed
              --node N, --link DIR     with serve: the guest is node N of several, whose processes meet in DIR; node 1
                                       must run before the others are ready
              --at DIR                 with serve: where the socket for commands is (default /run/rdma4j)

            The status is the command's, 128 + N if signal N killed it; 2: usage, 121: the guest's kernel panicked,
            122: the guest ran out of memory, 123: the guest hung, 124: --timeout, 125: the testbed failed.
            """;

    private TestbedMain() {}

    /** Runs and ends the JVM with the status that {@link #run} returns. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    /**
     * Runs a command line and returns the exit status. The arguments have to be the end of this process's own command line
     * if they hold bytes that the locale's charset cannot decode.
     */
    public static int run(List<String> arguments) {
        String verb = arguments.isEmpty() ? "--help" : arguments.get(0);
        try {
            return switch (verb) {
                case "run", "setup", "package" -> run(verb, TestbedOptions.parse(arguments), arguments);
                case "serve" -> serve(TestbedOptions.parse(arguments));
                case "pins" -> pins();
                case "--help", "-h", "help" -> help();
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
            return help();
        }
        return switch (verb) {
            case "setup" -> setUp(options);
            case "package" -> writeArchive(options, arguments);
            default -> runCommand(options, arguments);
        };
    }

    private static int help() {
        System.out.print(USAGE);
        return 0;
    }

    private static void report(TestbedException e) {
        if (e instanceof GuestFailureException failed && !failed.kernelLines().isEmpty()) {
            System.err.println("testbed: the last lines of the guest's kernel:");
            failed.kernelLines().lines().forEach(line -> System.err.println("  | " + line));
        }
        System.err.println("testbed: " + e.getMessage());
    }

    private static int writeArchive(TestbedOptions options, List<String> arguments)
            throws TestbedOptions.UsageException, TestbedException, InterruptedException {
        if (options.on != Backend.UML || options.commandLength != 1) {
            throw new TestbedOptions.UsageException("package takes --on uml and a directory");
        }
        if (options.contact.isBlank()) {
            throw new TestbedOptions.UsageException(
                    "package needs --contact: the licence of the kernel asks for an offer"
                            + " of its source, which says whom to ask");
        }
        Path directory = Path.of(arguments.get(arguments.size() - 1));
        Progress progress = Progress.onStandardError();
        Path archive = UmlArchive.write(CacheDirectory.of(System.getenv()), directory, options.contact, progress);
        progress.finish();
        System.out.println(archive);
        return 0;
    }

    private static int setUp(TestbedOptions options)
            throws TestbedOptions.UsageException, TestbedException, InterruptedException {
        if (options.archive != null && options.on != Backend.UML) {
            throw new TestbedOptions.UsageException("--from goes with setup --on uml");
        }
        Progress progress = Progress.onStandardError();
        KernelVm vm = options.on == Backend.UML
                ? KernelVm.userModeLinuxThoroughly(options.archive, progress)
                : KernelVm.prepareThoroughly(options.kernel, progress);
        System.err.println("testbed: ready, kernel " + vm.kernelVersion() + " with " + vm.accelerator());
        if (options.on != Backend.UML) {
            KvmProbe.hint().ifPresent(hint -> System.err.println("testbed: " + hint));
        }
        for (Devices devices : options.toSetUp) {
            vm.deviceFiles(devices, options.kernel, progress)
                    .present()
                    .forEach(file -> System.err.println("testbed: ready, " + file));
        }
        if (options.openSm) {
            Map<String, String> environment = System.getenv();
            UnpackedOpenSm openSm = UnpackedOpenSm.prepare(CacheDirectory.of(environment), environment, progress);
            System.err.println("testbed: ready, " + openSm.program());
        }
        if (options.docker) {
            Map<String, String> environment = System.getenv();
            UnpackedDocker docker = UnpackedDocker.prepare(CacheDirectory.of(environment), environment, progress);
            System.err.println("testbed: ready, " + docker.engine());
        }
        return 0;
    }

    private static int serve(TestbedOptions options)
            throws TestbedOptions.UsageException, TestbedException, InterruptedException {
        if (options.help) {
            return help();
        }
        return ServedNode.serve(options.node(), options.at);
    }

    private static int pins() throws TestbedException, InterruptedException {
        System.out.print(KernelImage.pins(System.getenv(), Progress.onStandardError()));
        return 0;
    }

    private static int runCommand(TestbedOptions options, List<String> arguments)
            throws TestbedOptions.UsageException, TestbedException, InterruptedException {
        if (options.openSm) {
            throw new TestbedOptions.UsageException("--opensm is an option of setup");
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
        GuestSignals signals = new GuestSignals();
        HostSignals.handle(number -> {
            boolean toGroup = number == HostSignals.INT || number == HostSignals.HUP;
            if (!signals.send(number, toGroup) && endsProcess(number)) {
                // Nothing has started that could be asked; the machine goes with this process.
                Runtime.getRuntime().halt(SIGNAL_STATUS_BASE + number);
            }
        });
        GuestCommand.Builder guest = GuestCommand.of();
        ProcessBytes.arguments(command).forEach(guest::argument);
        options.shares.forEach(guest::share);
        options.kernelArguments.forEach(guest::kernelArgument);
        guest.memoryMib(options.memoryMib)
                .cpus(options.cpus)
                .devices(options.devices)
                .parallel(options.parallel);
        if (options.timeout != null) {
            guest.timeout(options.timeout);
        }
        Progress progress = Progress.onStandardError();
        KernelVm vm =
                backend == Backend.UML ? KernelVm.userModeLinux(progress) : KernelVm.prepare(options.kernel, progress);
        guest.deviceFiles(vm.deviceFiles(options.devices, options.kernel, progress));
        GuestStreams streams = GuestStreams.ofThisProcess();
        long launched = System.nanoTime();
        GuestResult result = options.nodes == 1
                ? vm.run(guest.build(), streams, signals)
                : vm.runNodes(guest.build(), options.nodes, options.capture, streams, signals);
        note(result);
        if (options.times) {
            times.print(result.stages(), launched);
        }
        return result.status();
    }

    private static void note(GuestResult result) {
        result.crashReports()
                .forEach(report -> System.err.println("testbed: a JVM crashed in the guest; its report is " + report));
        GuestClock.complaint(result.clockRatio()).ifPresent(text -> System.err.println("testbed: " + text));
    }

    private static boolean endsProcess(int signal) {
        return signal == HostSignals.INT || signal == HostSignals.HUP || signal == HostSignals.TERM;
    }

    private static int runOnHost(List<String> command) throws TestbedException, InterruptedException {
        if (!hasRdmaDevice(Path.of("/sys/class/infiniband"))) {
            throw new TestbedException("this machine has no RDMA device (/sys/class/infiniband is empty);"
                    + " run without --on host to use a guest");
        }
        try {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            return status;
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
}
