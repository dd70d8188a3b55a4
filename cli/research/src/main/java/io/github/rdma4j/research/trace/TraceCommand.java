// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.testbed.TestbedMain;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j trace}: runs programs in guests and shows what they, their kernels and the wire did. */
@CommandLine.Command(
        name = "rdma4j trace",
        description = {
            "Runs a command in guests of the testbed and shows on one time line each command and event of the connection"
                    + " manager, and the messages on the wire.",
            "Writes trace.txt, trace.json and trace.html, and prints trace.txt."
        },
        footer = {
            "",
            "Examples:",
            "  ./rdma4j trace --server 'rping -s -C 1 -a 10.77.0.2' -- rping -c -C 1 -a 10.77.0.2",
            "  ./rdma4j trace --server './rdma4j ping -s 10.77.0.2' -- ./rdma4j ping -C 1 10.77.0.2",
            "  ./rdma4j trace -- mckey -m 239.1.2.3 -b 10.77.0.1 -C 1 -s -o",
            "  ./rdma4j trace --device ib -- mckey -m 239.1.2.3 -b 10.77.0.1 -C 1 -s -o",
            "",
            "./rdma4j trace render DIR shows the recordings that tests with @SoftRoce leave with",
            "-Drdma4j.testbed.trace=DIR; see ./rdma4j trace render --help.",
            "",
            "The exit status is that of the command; 2: wrong usage; 121 to 125: the testbed failed, as the output of",
            "./rdma4j testbed --help says."
        })
final class TraceCommand extends RdmaCommand {
    private static final int MOST_NODES = 2;
    private static final String IB = "ib";
    private static final List<String> PLACES = List.of("uml", "vm");
    private static final int FIRST_TESTBED_STATUS = 121;
    private static final int LAST_TESTBED_STATUS = 125;

    /** How a program is recorded. */
    enum Recording {
        /** By the recording of the JVM for java and rdma4j, and by its system calls for all others. */
        AUTO,
        /** By the system calls of the program: any program, also one in Java. */
        CALLS,
        /** By the Flight Recorder of the JVM: programs that use this library. */
        FLIGHT
    }

    @Parameters(
            paramLabel = "COMMAND",
            arity = "1..*",
            description = "The command and its arguments; it runs on node 1, which has the address 10.77.0.1.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<String> command;

    @Option(
            names = "--server",
            paramLabel = "COMMAND",
            description =
                    "A line for sh that runs on node 2, which has the address 10.77.0.2. The command starts when the"
                            + " server listens, or has an address for the group that it joins.")
    private @Nullable String server;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "1 or 2 guests (${DEFAULT-VALUE}). One guest has no wire: rxe hands over what is for the same device.")
    private int nodes = MOST_NODES;

    @Option(
            names = "--device",
            paramLabel = "rxe|ib",
            description =
                    "Soft-RoCE, or InfiniBand (${DEFAULT-VALUE}). With ib, another guest has the subnet manager, and the"
                            + " messages of subnet administration are shown.")
    private String device = "rxe";

    @Option(
            names = "--on",
            paramLabel = "PLACE",
            description = "Where the guests run, uml or vm; without the option, as ./rdma4j testbed run chooses.")
    private @Nullable String place;

    @Option(
            names = "--kernel",
            paramLabel = "V",
            description = "The guests' kernel, 6.1, 6.12 or 7.2, in QEMU; see ./rdma4j testbed --help.")
    private @Nullable String kernel;

    @Option(names = "--out", paramLabel = "DIR", description = "Where to write (${DEFAULT-VALUE}).")
    private Path directory = Path.of("rdma4j-trace");

    @Option(
            names = "--record",
            paramLabel = "HOW",
            description =
                    "flight, by the Flight Recorder, for Java programs that use this library; calls, by system calls,"
                            + " for any program; auto (${DEFAULT-VALUE}) takes flight for the programs java and rdma4j.")
    private Recording recording = Recording.AUTO;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "End the guests after SECONDS (${DEFAULT-VALUE}).")
    private int timeout = 600;

    @Override
    public Integer call() throws IOException {
        check();
        Run run = Run.in(directory);
        int status = TestbedMain.run(testbedArguments(run));
        boolean isTestbeds = status >= FIRST_TESTBED_STATUS && status <= LAST_TESTBED_STATUS;
        if (!isTestbeds) {
            String title = (server == null ? "" : ProgramName.of(server) + " \u2194 ")
                    + ProgramName.of(String.join(" ", command));
            out().print(run.views().write(title, "", Trace.read(run.directory())));
            out().flush();
            err().println("trace: " + run.views().page());
        }
        return status;
    }

    private void check() {
        require(nodes >= 1 && nodes <= MOST_NODES, "--nodes is 1 or 2, not " + nodes);
        require(timeout >= 1, "--timeout " + timeout + " is less than 1");
        require(place == null || PLACES.contains(place), "--on must be uml or vm, not " + place);
        require(device.equals("rxe") || device.equals(IB), "--device is rxe or ib, not " + device);
        try {
            if (kernel != null) {
                KernelRelease.of(kernel);
            }
        } catch (TestbedException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** The command line of the testbed. The testbed chooses the kind of the guests unless an option names one. */
    List<String> testbedArguments(Run run) {
        List<String> line = new ArrayList<>(List.of("run", "--timeout", String.valueOf(timeout)));
        if (place != null) {
            line.addAll(List.of("--on", place));
        }
        if (kernel != null) {
            line.addAll(List.of("--kernel", kernel));
        }
        int guests = nodes;
        if (device.equals(IB)) {
            guests++;
            line.addAll(List.of("--device", IB, "--subnet-manager", String.valueOf(guests)));
        }
        if (guests > 1) {
            line.addAll(List.of(
                    "--nodes", String.valueOf(guests), "--pcap", run.capture().toString()));
        }
        line.addAll(List.of("--share", run.directory().toString(), "--"));
        line.addAll(List.of(
                "perl", run.recorder().toString(), "run", run.directory().toString()));
        String serverLine = server == null ? "" : server;
        line.addAll(List.of(how(serverLine.split(" ", 2)[0]), serverLine, how(command.get(0))));
        line.addAll(command);
        return line;
    }

    private String how(String program) {
        Recording how = recording;
        if (how == Recording.AUTO) {
            String name = program.substring(program.lastIndexOf('/') + 1);
            how = name.equals("java") || name.equals("rdma4j") ? Recording.FLIGHT : Recording.CALLS;
        }
        return how.name().toLowerCase(Locale.ROOT);
    }
}
