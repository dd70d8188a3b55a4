// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.cli.verify.CheckRunner.Result;
import io.github.rdma4j.cli.verify.CheckRunner.Result.Outcome;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j verify card}. */
@Command(
        name = "card",
        description = {
            "Check that an RDMA device works with rdma4j, and write a report to send in.",
            "The device sends to itself: every operation of every type of queue pair with each byte compared, then the"
                    + " programs ping, cmatose, udaddy and mckey, Java to Java and, where the programs of rdma-core are"
                    + " installed, Java to C; and the latency beside ib_send_lat. Needs no root, only access to"
                    + " /dev/infiniband. The network sees nothing but multicast joins and datagrams."
        },
        footer = {
            "",
            "Programs in C: Debian packages rdmacm-utils, ibverbs-utils and perftest. What is not installed, and what the device does not"
                    + " have, is left out, and the report says so.",
            "Exit status: 0 everything that ran passed; 1 a check failed, or there is no device; 2 wrong usage.",
            "Please paste the report into an issue, whatever it says."
        })
public final class CardCommand extends RdmaCommand {
    private static final int FAILURE = 1;
    private static final int LEAST_SECONDS = 1;
    private static final int MOST_SECONDS = 3600;
    private static final Set<Errno> UNSUPPORTED = Set.of(Errno.EOPNOTSUPP, Errno.ENOTSUPP);

    @Parameters(
            arity = "0..1",
            paramLabel = "DEVICE",
            description = "Name of the device, such as mlx5_0 (the first device that rdma4j has a provider for).")
    private @Nullable String device;

    @Option(
            names = "--address",
            paramLabel = "ADDR",
            description = "IP address of the device, for the programs (the address of its GID or network interface).")
    private @Nullable String address;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report to FILE (${DEFAULT-VALUE}).")
    private Path file = Path.of("rdma4j-card-report.md");

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "Time limit of the run, 1 to 3600 (${DEFAULT-VALUE}).")
    private int limit = 300;

    @Option(
            names = "--private",
            description = "Leave the host name, addresses, GIDs and GUIDs in the report instead of hiding them.")
    private boolean showPrivate;

    private final Supplier<Kernel> kernel;

    /** Creates the command for picocli; loads no library before the command runs. */
    public CardCommand() {
        this(Kernel::running);
    }

    /** Creates the command for a device of another kernel. */
    public CardCommand(Supplier<Kernel> kernel) {
        this.kernel = kernel;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireWithin("--limit", limit, LEAST_SECONDS, MOST_SECONDS);
        Card card = Card.find(kernel.get(), device, address == null ? null : Addresses.resolve(address));
        Map<String, String> facts = Report.facts(card, version());
        facts.forEach((name, value) -> print("%-14s %s", name, value));
        print("");
        Report report = new Report(file, facts, showPrivate ? Map.of() : Report.secrets(card));
        Thread interrupted = new Thread(() -> end(report, "The run was interrupted."));
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            run(card, report);
        } finally {
            forget(interrupted);
        }
        print("");
        print("%s", report.counts());
        print("The report is in %s; please paste it into an issue of the project, whatever it says.", file);
        return report.count(Outcome.FAILED) == 0 ? 0 : FAILURE;
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shutdown) {
            // the hook already runs
        }
    }

    private void run(Card card, Report report) throws IOException, InterruptedException {
        CheckRunner runner = new CheckRunner(Duration.ofSeconds(limit));
        List<Check> checks = Stream.of(matrix(card), ProgramChecks.checks(news -> print("%19s  %s", "", news)))
                .flatMap(List::stream)
                .toList();
        for (Check check : checks) {
            Result result =
                    runner.run(check.name(), check.limit(), () -> check.body().run(card));
            report.add(result);
            print(
                    "%-8s %,7d ms  %s%s",
                    result.outcome(),
                    result.time().toMillis(),
                    result.name(),
                    result.detail().isEmpty() ? "" : ": " + result.summary());
        }
        report.end("The run came to its end.");
    }

    private void end(Report report, String how) {
        try {
            report.end(how);
            print("%s, interrupted; the report is in %s", report.counts(), file);
        } catch (IOException e) {
            print("the report was not written: %s", Failures.text(e));
        }
    }

    private void print(String format, Object... arguments) {
        out().printf(Locale.ROOT, format + "%n", arguments);
    }

    /**
     * The checks of the data path: every operation of every type of queue pair, where possible without the connection
     * manager.
     */
    private static List<Check> matrix(Card card) {
        return Stream.of(
                        ConnectedChecks.all(),
                        RingChecks.all(),
                        card.isIwarp() ? TerminationChecks.all() : ErrorChecks.all(),
                        DatagramChecks.all(),
                        SharedReceiveChecks.all(),
                        EventChecks.all(),
                        PingpongChecks.all())
                .flatMap(List::stream)
                .map(check -> new Check(check.name(), check.limit(), device -> run(check, device)))
                .toList();
    }

    /** Runs a check; if the driver reports a missing feature, the check is left out. */
    private static String run(Check check, Card card) throws Exception {
        try {
            return check.body().run(card);
        } catch (ErrnoException e) {
            if (UNSUPPORTED.contains(e.errno())) {
                throw notHere(e);
            }
            throw e;
        } catch (UnsupportedByKernelException e) {
            throw notHere(e);
        }
    }

    private static Check.LeftOutException notHere(Exception refusal) {
        return new Check.LeftOutException("not on this device: " + refusal.getMessage());
    }
}
