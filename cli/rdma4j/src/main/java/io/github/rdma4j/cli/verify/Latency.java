// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.perf.PerfOptions;
import io.github.rdma4j.cli.perf.PerfProgram;
import io.github.rdma4j.cli.perf.PerfResult;
import io.github.rdma4j.cli.perf.PerfRun;
import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The latency of 64 bytes (half a round trip), in Java and with ib_send_lat, each between two processes of this
 * machine.
 *
 * @param port the port of the connection manager, for the Java side
 * @param warmUp messages before the measurement in Java, or 0
 * @param tool the program in C
 */
record Latency(RdmaAddress rdma, int port, int warmUp, int iterations, String tool) {
    private static final int C_ATTEMPTS = 5;

    /** The TCP port over which ib_send_lat exchanges addresses. */
    private static final int SEND_LAT_PORT = 18515;

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static final int SIZE = 64;

    /** Measures in Java: {@code perf send_lat} with a server in its own process, as with the C tool. */
    PerfResult ofJava() throws RdmaException, InterruptedException {
        String server = "perf send_lat --source_ip " + rdma.address().getHostAddress() + " -p " + port + " -s " + SIZE
                + " -n " + iterations + " --warm-up " + warmUp;
        List<String> command = GuestRun.commandLine(GuestRun.OPTIMIZED, List.of(server.split(" ", -1)));
        try (PeerProcess peer = PeerProcess.start(command)) {
            peer.awaitOutput("waiting for a client", LIMIT);
            PerfResult measured = PerfRun.client(PerfOptions.of(PerfProgram.SEND_LAT)
                    .server(new InetSocketAddress(rdma.address(), port))
                    .size(SIZE)
                    .iterations(iterations)
                    .warmUp(warmUp));
            peer.await(LIMIT);
            return measured;
        }
    }

    /**
     * The median of ib_send_lat in microseconds. Repeats the measurement if the tool cannot calibrate its clock, which
     * happens on a busy machine.
     *
     * @param limit for all attempts
     * @param news receives a line before each attempt after the first
     */
    double ofC(Duration limit, Consumer<String> news) throws RdmaException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        String last = "";
        for (int attempt = 1; attempt <= C_ATTEMPTS && System.nanoTime() < deadline; attempt++) {
            if (attempt > 1) {
                news.accept(tool + ": attempt " + attempt + " of " + C_ATTEMPTS + ", because " + firstLine(last));
            }
            last = runC(List.of(), Duration.ofNanos(deadline - System.nanoTime()));
            double typical = typical(last);
            if (!Double.isNaN(typical) && !Double.isInfinite(typical)) {
                return typical;
            }
        }
        throw new RdmaException(tool + " gave no result: " + firstLine(last) + "\n" + last);
    }

    /**
     * The figure of ib_send_lat and its ratio to {@code java}; or the reason for a missing figure, because a clock
     * problem of the tool is not a fault of the device or the library.
     *
     * @param limit the time limit for all attempts, and again for an attempt in ticks
     */
    String besideC(double java, Duration limit, Consumer<String> news) throws InterruptedException {
        try {
            double c = ofC(limit, news);
            return String.format(Locale.ROOT, "ib_send_lat %.2f us, ratio %.2f", c, java / c);
        } catch (RdmaException e) {
            return "left out: " + firstLine(String.valueOf(e.getMessage())) + ticksOfC(limit);
        }
    }

    /** The result in ticks of the processor's clock, which needs no calibration. */
    private String ticksOfC(Duration limit) throws InterruptedException {
        try {
            double ticks = typical(runC(List.of("-C"), limit));
            return Double.isNaN(ticks) ? "" : String.format(Locale.ROOT, "; with -C it measures %,.0f ticks", ticks);
        } catch (RdmaException e) {
            return "";
        }
    }

    /** Returns the output of the client of a measurement. */
    private String runC(List<String> options, Duration limit) throws RdmaException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(tool, "-F", "-d", rdma.device().name()));
        command.addAll(List.of("-x", "" + rdma.gidIndex(), "-s", "" + SIZE, "-n", "" + iterations));
        command.addAll(options);
        try (PeerProcess server = PeerProcess.start(command)) {
            server.awaitTcpListening(SEND_LAT_PORT, limit);
            command.add(rdma.address().getHostAddress());
            try (PeerProcess client = PeerProcess.start(command)) {
                client.await(limit);
                return client.output();
            }
        }
    }

    private static String firstLine(String output) {
        return output.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("it printed nothing");
    }

    /** The column t_typical of the line that starts with the size: the median, in microseconds or ticks. */
    private static double typical(String output) {
        return output.lines()
                .map(String::trim)
                .filter(line -> line.startsWith(SIZE + " "))
                .map(line -> line.split("\\s+"))
                .filter(columns -> columns.length > 4 && columns[4].matches("[0-9.]+"))
                .mapToDouble(columns -> Double.parseDouble(columns[4]))
                .findFirst()
                .orElse(Double.NaN);
    }
}
