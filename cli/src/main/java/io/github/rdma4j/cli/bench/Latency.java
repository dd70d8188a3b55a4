// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.bench;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Half a round trip of 64 bytes, in Java and by ib_send_lat, each between two processes of this machine. */
public final class Latency {
    private static final int C_ATTEMPTS = 5;

    /** The TCP port that ib_send_lat exchanges its addresses on. */
    private static final int SEND_LAT_PORT = 18515;

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final RdmaAddress rdma;
    private final int port;
    private final int warmUp;
    private final Duration warmUpLimit;
    private final int iterations;

    /** The result of a measurement: the median of half a round trip, and the bytes allocated meanwhile. */
    public record Measurement(double medianMicros, long allocatedBytes) {}

    /**
     * Measurements on a device.
     *
     * @param port of the connection manager, for the Java side
     * @param warmUp round trips before the measurement in Java
     * @param warmUpLimit after which the measurement begins however few they were
     * @param iterations round trips that are measured
     */
    public Latency(RdmaAddress rdma, int port, int warmUp, Duration warmUpLimit, int iterations) {
        this.rdma = rdma;
        this.port = port;
        this.warmUp = warmUp;
        this.warmUpLimit = warmUpLimit;
        this.iterations = iterations;
    }

    /** Measures in Java. */
    public Measurement ofJava() throws RdmaException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(rdma.address(), port);
        List<String> responder = GuestRun.commandLine(
                GuestRun.OPTIMIZED,
                List.of("bench", "responder", address.getAddress().getHostAddress(), "" + address.getPort()));
        try (PeerProcess peer = PeerProcess.start(responder)) {
            peer.awaitOutput("ready", LIMIT);
            Measurement measured = PingPong.measure(address, warmUp, warmUpLimit, iterations);
            peer.await(LIMIT);
            return measured;
        }
    }

    /**
     * The median of ib_send_lat in microseconds. Repeats the measurement when the clock calibration of the tool fails, which happens
     * under emulation.
     */
    public double ofC() throws RdmaException, InterruptedException {
        String last = "";
        for (int attempt = 0; attempt < C_ATTEMPTS; attempt++) {
            try (PeerProcess server = PeerProcess.start(sendLatCommand());
                    PeerProcess client = clientOf(server)) {
                client.await(LIMIT);
                last = client.output();
                double typical = typical(last);
                if (!Double.isNaN(typical) && !Double.isInfinite(typical)) {
                    return typical;
                }
            }
        }
        throw new RdmaException("ib_send_lat gave no figure in " + C_ATTEMPTS + " attempts:\n" + last);
    }

    private PeerProcess clientOf(PeerProcess server) throws RdmaException, InterruptedException {
        server.awaitTcpListening(SEND_LAT_PORT, LIMIT);
        List<String> command = new ArrayList<>(sendLatCommand());
        command.add(rdma.address().getHostAddress());
        return PeerProcess.start(command);
    }

    private List<String> sendLatCommand() {
        return List.of(
                "ib_send_lat",
                "-F",
                "-d",
                rdma.device().name(),
                "-x",
                "" + rdma.gidIndex(),
                "-s",
                "" + PingPong.SIZE,
                "-n",
                "" + iterations);
    }

    /** The column t_typical of the line that starts with the size: the median, in microseconds. */
    private static double typical(String output) {
        return output.lines()
                .map(String::trim)
                .filter(line -> line.startsWith(PingPong.SIZE + " "))
                .map(line -> line.split("\\s+"))
                .filter(columns -> columns.length > 4 && columns[4].matches("[0-9.]+"))
                .mapToDouble(columns -> Double.parseDouble(columns[4]))
                .findFirst()
                .orElse(Double.NaN);
    }
}
