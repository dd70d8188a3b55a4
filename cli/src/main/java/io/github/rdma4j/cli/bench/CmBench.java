// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.bench;

import io.github.rdma4j.cli.cmtime.CmtimeClient;
import io.github.rdma4j.cli.cmtime.CmtimeOptions;
import io.github.rdma4j.cli.cmtime.CmtimeTable;
import io.github.rdma4j.cli.cmtime.Step;
import io.github.rdma4j.cli.cmtime.StepTimes;
import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.run.Processors;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Connections and their steps: C cmtime with itself and Java with itself in turns, each with two processes. */
final class CmBench {
    private static final int ALTERNATIONS = 3;

    /** Rounds that let the JIT compile the measured code. */
    private static final int WARM_UPS = 2;

    private static final int PORT = 7302;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final RdmaAddress rdma;
    private final int connections;
    private final PrintWriter out;
    private final PrintWriter silent = new PrintWriter(Writer.nullWriter());

    CmBench(RdmaAddress rdma, int connections, PrintWriter out) {
        this.rdma = rdma;
        this.connections = connections;
        this.out = out;
    }

    /** Prints what it does and finds; returns the findings for programs. */
    Map<String, Object> run() throws RdmaException, InterruptedException {
        out.printf(
                "%s, kernel %s, device %s, %d connections, median of %d turns after %d rounds to warm up%n",
                Processors.name(),
                System.getProperty("os.version"),
                rdma.device().name(),
                connections,
                ALTERNATIONS,
                WARM_UPS);
        List<Map<Step, Double>> c = new ArrayList<>();
        List<Map<Step, Double>> java = new ArrayList<>();
        try (PeerProcess server = javaServer()) {
            server.awaitOutput("listening", LIMIT);
            for (int round = 0; round < WARM_UPS; round++) {
                measureJava();
            }
            for (int turn = 0; turn < ALTERNATIONS; turn++) {
                c.add(measureC(PORT + 1 + turn));
                java.add(measureJava());
                out.printf(
                        Locale.ROOT,
                        "C cmtime %8.1f us   Java %8.1f us per connection%n",
                        CmtimeTable.sum(c.get(turn)),
                        CmtimeTable.sum(java.get(turn)));
                out.flush();
            }
        }
        report(medians(c), medians(java));
        return findings(medians(c), medians(java));
    }

    private PeerProcess javaServer() throws RdmaException {
        String address = rdma.address().getHostAddress();
        return PeerProcess.start(GuestRun.commandLine(
                GuestRun.SHORT_LIVED, List.of("cmtime", "-b", address, "-p", String.valueOf(PORT))));
    }

    private Map<Step, Double> measureJava() throws RdmaException, InterruptedException {
        CmtimeOptions options = CmtimeOptions.of(
                new InetSocketAddress(rdma.address(), PORT), new InetSocketAddress(rdma.address(), 0), connections);
        CmtimeClient client = new CmtimeClient(options, silent);
        StepTimes times = client.run();
        if (client.failures() > 0) {
            throw new RdmaException(client.failures() + " of " + connections + " Java connections failed");
        }
        Map<Step, Double> micros = new EnumMap<>(Step.class);
        times.steps().forEach(step -> micros.put(step, times.microsPerConnection(step)));
        return micros;
    }

    /** Starts a server for each turn, because the C server does not serve a second client. */
    private Map<Step, Double> measureC(int port) throws RdmaException, InterruptedException {
        String address = rdma.address().getHostAddress();
        String number = String.valueOf(port);
        try (PeerProcess server = PeerProcess.start(List.of("cmtime", "-b", address, "-p", number))) {
            server.awaitListening(port, LIMIT);
            List<String> command =
                    List.of("cmtime", "-s", address, "-b", address, "-p", number, "-c", "" + connections);
            try (PeerProcess client = PeerProcess.start(command)) {
                int status = client.await(LIMIT);
                Map<Step, Double> micros = CmtimeTable.parse(client.output());
                if (status != 0 || micros.size() != Step.values().length) {
                    throw new RdmaException("C cmtime ended with status " + status + ":\n" + client.output());
                }
                return micros;
            }
        }
    }

    private void report(Map<Step, Double> c, Map<Step, Double> java) {
        out.println("us per connection          C       Java    Java/C");
        c.forEach((step, micros) -> row(step.label(), micros, java.getOrDefault(step, Double.NaN)));
        row("up to connect", CmtimeTable.sum(c, CmtimeTable.SET_UP), CmtimeTable.sum(java, CmtimeTable.SET_UP));
        row("all steps", CmtimeTable.sum(c), CmtimeTable.sum(java));
        out.printf(
                Locale.ROOT,
                "connections per second: C %.0f, Java %.0f%n",
                MICROS_PER_SECOND / CmtimeTable.sum(c, CmtimeTable.SET_UP),
                MICROS_PER_SECOND / CmtimeTable.sum(java, CmtimeTable.SET_UP));
        c.forEach((step, micros) ->
                ratio("cm_" + step.label().replace(' ', '_'), java.getOrDefault(step, Double.NaN) / micros));
        ratio("cm_setup", CmtimeTable.sum(java, CmtimeTable.SET_UP) / CmtimeTable.sum(c, CmtimeTable.SET_UP));
        ratio("cm", CmtimeTable.sum(java) / CmtimeTable.sum(c));
        out.flush();
    }

    private Map<String, Object> findings(Map<Step, Double> c, Map<Step, Double> java) {
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("benchmark", "cm");
        findings.put("processors", Processors.name());
        findings.put("kernel", System.getProperty("os.version"));
        findings.put("device", rdma.device().name());
        findings.put("connections", connections);
        findings.put("turns", ALTERNATIONS);
        findings.put("c_us_per_connection", fields(c));
        findings.put("java_us_per_connection", fields(java));
        findings.put("ratio_setup", CmtimeTable.sum(java, CmtimeTable.SET_UP) / CmtimeTable.sum(c, CmtimeTable.SET_UP));
        findings.put("ratio", CmtimeTable.sum(java) / CmtimeTable.sum(c));
        return findings;
    }

    private static Map<String, Object> fields(Map<Step, Double> micros) {
        Map<String, Object> fields = new LinkedHashMap<>();
        micros.forEach((step, value) -> fields.put(step.label().replace(' ', '_'), value));
        return fields;
    }

    private void row(String name, double c, double java) {
        out.printf(Locale.ROOT, "%-17s %10.1f %10.1f %9.2f%n", name, c, java, java / c);
    }

    private void ratio(String name, double value) {
        out.printf(Locale.ROOT, "RATIO %s %.3f%n", name, value);
    }

    private static Map<Step, Double> medians(List<Map<Step, Double>> turns) {
        Map<Step, Double> medians = new EnumMap<>(Step.class);
        for (Step step : Step.values()) {
            turns.stream()
                    .map(turn -> turn.getOrDefault(step, Double.NaN))
                    .sorted()
                    .skip(turns.size() / 2)
                    .findFirst()
                    .ifPresent(median -> medians.put(step, median));
        }
        return medians;
    }
}
