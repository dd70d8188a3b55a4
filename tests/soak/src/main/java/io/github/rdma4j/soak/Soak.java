// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.soak.host.Violations;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** One run, inside the guest. */
final class Soak {
    /** The number of rounds of clients after which a process has reached its peak need. */
    private static final int WARM_UP_ROUNDS = 3;

    private final PrintStream out;
    private final String device;
    private final Duration time;
    private final List<Fault> kinds;
    private final Plan plan;
    private final Report report;
    private final long start = System.nanoTime();

    /** A run on the RDMA device of that name. */
    Soak(PrintStream out, String device, Duration time, long seed, List<Fault> kinds) {
        this.out = out;
        this.device = device;
        this.time = time;
        this.kinds = kinds;
        this.plan = new Plan(seed, kinds);
        this.report = new Report(kinds);
    }

    /** True when no invariant was broken. */
    boolean run(boolean twoNodes, Path logs) throws RdmaException, InterruptedException {
        JavaCommand java = new JavaCommand(logs);
        Node client = twoNodes ? Node.first(device) : Node.only(device);
        Node server = twoNodes ? Node.second(device) : client;
        List<TestedProcess> processes = new ArrayList<>();
        for (String name : List.of("ping", "echo", "pools", "streams", "transfer")) {
            processes.add(new TestedProcess(server, name, java.host(name, server.address()), logs));
        }
        if (kinds.stream().anyMatch(kind -> kind.name().equals(Faults.ManagerFault.NAME))) {
            List<String> command = java.host(Stage.MEMBERS, client.address());
            processes.add(new TestedProcess(client, Stage.MEMBERS, command, logs));
        }
        try (CmEventLoop loop = CmEventLoop.open()) {
            return run(new Stage(client, server, processes, loop, new Violations(), java, logs));
        } finally {
            processes.forEach(TestedProcess::close);
        }
    }

    private boolean run(Stage stage) throws InterruptedException {
        try {
            Invariants invariants = new Invariants(stage);
            Baseline baseline = begin(stage, invariants);
            long end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() - end < 0) {
                inject(plan.next(), stage, invariants, baseline);
            }
            report.print(out);
            say("all invariants hold");
            return true;
        } catch (SoakFailureException e) {
            Diagnostics.save(stage, out);
            report.print(out);
            writeTrace(stage, e);
            say("BROKEN: " + e.getMessage());
            return false;
        }
    }

    private Baseline begin(Stage stage, Invariants invariants) throws SoakFailureException, InterruptedException {
        BadPeer.compile(stage);
        for (TestedProcess process : stage.processes()) {
            process.start();
            say("started " + process + " on " + process.node());
        }
        Baseline baseline = null;
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            invariants.serveAll();
            Baseline now = Baseline.measure(stage);
            baseline = baseline == null ? now : baseline.orMore(now);
            say("warm-up " + (round + 1) + " of " + WARM_UP_ROUNDS + ": all clients served");
        }
        out.print("baseline:\n" + baseline);
        return Objects.requireNonNull(baseline);
    }

    private void inject(Plan.Step step, Stage stage, Invariants invariants, Baseline baseline)
            throws SoakFailureException, InterruptedException {
        String title = "fault " + step.number() + " " + step.fault().name() + " ("
                + step.injection().details() + ")";
        say(title);
        report.injected(step.fault());
        try {
            String outcome = step.injection().action().run(stage);
            long injected = System.nanoTime();
            invariants.check(baseline);
            Duration recovery = Duration.ofNanos(System.nanoTime() - injected);
            report.survived(step.fault(), recovery);
            say(String.format(Locale.ROOT, "  %s; recovered in %.1f s", outcome, recovery.toMillis() / 1000.0));
        } catch (SoakFailureException e) {
            throw new SoakFailureException(title + ": " + e.getMessage(), e);
        }
    }

    private void writeTrace(Stage stage, SoakFailureException failure) {
        try (PrintStream to =
                new PrintStream(stage.logs().resolve("failure.txt").toFile(), StandardCharsets.UTF_8)) {
            failure.printStackTrace(to);
        } catch (IOException e) {
            failure.printStackTrace(out);
        }
    }

    private void say(String line) {
        out.printf(Locale.ROOT, "%7.1f s  %s%n", (System.nanoTime() - start) / 1e9, line);
        out.flush();
    }
}
