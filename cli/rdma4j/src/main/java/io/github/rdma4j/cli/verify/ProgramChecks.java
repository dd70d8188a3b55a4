// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;

import io.github.rdma4j.cli.perf.PerfResult;
import io.github.rdma4j.cli.run.Peer;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Checks of the programs, with both ends on this machine: Java and Java, Java and C, C and Java. They connect through
 * the connection manager, on the address of the device.
 */
final class ProgramChecks {
    private static final Path CONNECTION_MANAGER = Path.of("/dev/infiniband/rdma_cm");
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STARTING = Duration.ofSeconds(5);
    private static final long NAP_MILLIS = 200;
    private static final Set<String> DATAGRAMS = Set.of("udaddy", "mckey");

    /** Takes a fraction of a second. */
    private static final int WARM_UP = 60_000;

    /** For a software device, whose messages are too slow for a longer warm-up. */
    private static final int SHORT_WARM_UP = 5_000;

    private static final Set<String> SOFTWARE = Set.of("rxe", "siw");
    private static final int ITERATIONS = 2_000;

    private ProgramChecks() {}

    /**
     * Returns the checks.
     *
     * @param news receives lines about slow checks
     */
    static List<Check> checks(Consumer<String> news) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < Program.JAVA.size(); i++) {
            Program java = Program.JAVA.get(i);
            Program c = Program.C.get(i);
            String name = java.name() + (java.client().contains("65535") ? " of 65535 bytes" : "");
            checks.add(check(name + ": Java and Java", java, java));
            checks.add(check(name + ": server in Java, client in C (" + c.name() + ")", java, c));
            checks.add(check(name + ": server in C (" + c.name() + "), client in Java", c, java));
        }
        checks.add(new Check(
                "latency of 64 bytes, half a round trip", LIMIT.multipliedBy(4), card -> latency(card, news)));
        return checks;
    }

    private static Check check(String name, Program server, Program client) {
        return new Check(name, LIMIT, card -> {
            InetAddress address = requireAddress(card);
            if (DATAGRAMS.contains(server.name()) && card.isIwarp()) {
                throw new Check.LeftOutException("not on this device: iWARP has no datagrams");
            }
            for (Program program : List.of(server, client)) {
                if (program.isC() && !Program.isInstalled(program.name())) {
                    throw new Check.LeftOutException(
                            program.name() + " is not installed (Debian package rdmacm-utils)");
                }
            }
            if (client.isC() && client.name().equals("mckey") && card.isSoftRoce() && sendsFromAWorkQueue()) {
                throw new Check.LeftOutException(
                        "mckey in C destroys its queue pair as soon as it has posted its messages,"
                                + " and soft-RoCE sends none of them then (since Linux 6.4)");
            }
            return exchange(server, client, Program.Place.at(address.getHostAddress()));
        });
    }

    /** True if soft-RoCE of this kernel sends asynchronously to the posting of work requests. */
    private static boolean sendsFromAWorkQueue() {
        String[] release = System.getProperty("os.version").split("\\D", 3);
        int major = Integer.parseInt(release[0]);
        return major > 6 || (major == 6 && Integer.parseInt(release[1]) >= 4);
    }

    /** Requires the running kernel, because other processes reach only its devices. */
    static void requireKernel(Card card) throws Check.LeftOutException {
        if (card.kernel() != Kernel.running()) {
            throw new Check.LeftOutException("the device is not one of this machine's kernel");
        }
    }

    /** Returns the address to which programs connect. */
    private static InetAddress requireAddress(Card card) throws Check.LeftOutException {
        requireKernel(card);
        if (!Files.exists(CONNECTION_MANAGER)) {
            throw new Check.LeftOutException(
                    "no connection manager: there is no " + CONNECTION_MANAGER + "; modprobe rdma_ucm");
        }
        return card.requireAddress();
    }

    /** Runs both ends; returns the last line of a Java end. */
    private static String exchange(Program server, Program client, Program.Place place) throws Exception {
        try (Peer waiting = server.startServer(place)) {
            awaitReady(server, waiting, place);
            String said = runClient(client, place, waiting);
            if (server.ends()) {
                int status = waiting.await(STARTING);
                expect(status == 0, "the server ended with status " + status + ":\n" + waiting.output());
            }
            String figures = figures(client.isC() ? "" : said);
            return figures.isEmpty() && !server.isC() ? figures(waiting.output()) : figures;
        }
    }

    /** Waits until clients can connect. rdma(8) shows listening C programs, most of which print nothing. */
    private static void awaitReady(Program server, Peer waiting, Program.Place place)
            throws RdmaException, InterruptedException {
        if (!server.ready().isEmpty()) {
            waiting.awaitOutput(server.ready(), LIMIT);
        } else if (waiting instanceof PeerProcess process && Program.isInstalled("rdma")) {
            process.awaitListening(server.port(place), STARTING);
        } else {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    /** Runs a client. A server that does not report when it listens rejects clients at first. */
    private static String runClient(Program client, Program.Place place, Peer server)
            throws RdmaException, Check.CheckFailedException, InterruptedException {
        long deadline = System.nanoTime() + STARTING.toNanos();
        while (true) {
            try (Peer running = client.startClient(place)) {
                int status = running.await(LIMIT);
                if (status == 0) {
                    return running.output();
                }
                expect(
                        System.nanoTime() < deadline,
                        "the client ended with status " + status + ":\n" + running.output() + "the server said:\n"
                                + server.output());
            }
            TimeUnit.MILLISECONDS.sleep(NAP_MILLIS);
        }
    }

    /** The line with the number of verified messages. */
    private static String figures(String output) {
        return output.lines()
                .filter(line -> line.contains("verified") || line.contains("round trip"))
                .reduce((first, last) -> last)
                .orElse("");
    }

    private static String latency(Card card, Consumer<String> news) throws Exception {
        InetAddress address = requireAddress(card);
        RdmaAddress rdma = new RdmaAddress(card.device(), address, card.gid().gidIndex());
        int port = Program.Place.at(address.getHostAddress()).port();
        int warmUp = SOFTWARE.contains(card.device().driverName()) ? SHORT_WARM_UP : WARM_UP;
        Latency latency = new Latency(rdma, port, warmUp, ITERATIONS);
        PerfResult java = latency.ofJava();
        double median = java.latency().orElseThrow().typical();
        String ours = String.format(Locale.ROOT, "Java %.2f us, %d bytes allocated", median, java.allocatedBytes());
        if (card.isIwarp()) {
            // ib_send_lat would connect its queue pairs itself
            return ours;
        }
        if (!Program.isInstalled("ib_send_lat")) {
            return ours + "; ib_send_lat is not installed (Debian package perftest)";
        }
        return ours + "; " + latency.besideC(median, LIMIT, news);
    }
}
