// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.demo;

import io.github.rdma4j.cli.ping.PingClient;
import io.github.rdma4j.cli.ping.PingOptions;
import io.github.rdma4j.cli.ping.PingResult;
import io.github.rdma4j.cli.ping.PingServer;
import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j demo}. */
@Command(
        name = "demo",
        description = "Boot a guest with soft-RoCE and exchange verified data: Java to Java, Java to C, and C to Java.")
public final class DemoCommand extends RdmaCommand {
    private static final int LIMIT_SECONDS = 600;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int SMALL = 64;
    private static final int SMALL_COUNT = 1000;

    private static final int LARGE = 65_536;

    /** The size with a C program on one side: the limit of C is one byte less. */
    private static final int LARGE_FOR_C = LARGE - 1;

    private static final int LARGE_COUNT = 100;
    private static final int FIRST_PORT = 7201;
    private static final PrintWriter SILENT = new PrintWriter(Writer.nullWriter());

    @Option(
            names = "--on",
            paramLabel = "uml|vm|host",
            description =
                    "Run in a guest (User Mode Linux where its kernel is in the cache, else vm), or on the RDMA device"
                            + " of this machine (host).")
    private @Nullable String where;

    @Option(names = "--inside", hidden = true, description = "Run the exchanges here.")
    private boolean inside;

    private boolean verified = true;

    private record Row(String pair, int size, int count, boolean verified, String trouble, PingResult times) {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        if (inside) {
            return run() ? 0 : 1;
        }
        if (!"host".equals(where)) {
            out().println("booting a guest kernel with a soft-RoCE device ...");
        }
        List<String> command = GuestRun.commandLine(GuestRun.SHORT_LIVED, List.of("demo", "--inside"));
        return GuestRun.run(where, LIMIT_SECONDS, null, command);
    }

    /**
     * Runs the three pairs of programs, each with small and large pings, whose client compares every byte; returns true
     * if all data came back unchanged.
     */
    private boolean run() throws RdmaException, InterruptedException {
        RdmaAddress rdma = RdmaAddress.first();
        out().printf(
                        "kernel %s, device %s (driver %s), address %s%n%n",
                        System.getProperty("os.version"),
                        rdma.device().name(),
                        rdma.device().driverName(),
                        rdma.address().getHostAddress());
        String address = rdma.address().getHostAddress();
        out().printf("%-24s %9s %9s %15s %13s %13s%n", "pair", "bytes", "messages", "verified bytes", "median", "p99");
        javaToJava(new InetSocketAddress(rdma.address(), FIRST_PORT));
        javaToC(new InetSocketAddress(rdma.address(), FIRST_PORT + 1));
        cToJava(new InetSocketAddress(rdma.address(), FIRST_PORT + 2));
        out().printf(
                        "%nRound trips are measured in Java; for C -> Java on the server, from the arrival of a ping to its"
                                + " last message%n");
        out().println(verified ? "all data verified on " + address : "NOT ALL DATA VERIFIED");
        return verified;
    }

    private void javaToJava(InetSocketAddress address) throws RdmaException, InterruptedException {
        List<String> server = GuestRun.commandLine(
                GuestRun.SHORT_LIVED,
                List.of("ping", "--server", address.getAddress().getHostAddress(), "-p", "" + address.getPort()));
        try (PeerProcess peer = PeerProcess.start(server)) {
            peer.awaitOutput("listening on", LIMIT);
            client("Java -> Java", address, peer, LARGE);
        }
    }

    private void javaToC(InetSocketAddress address) throws RdmaException, InterruptedException {
        List<String> server = rping("-s -P -S " + LARGE_FOR_C, address);
        try (PeerProcess peer = PeerProcess.start(server)) {
            peer.awaitListening(address.getPort(), LIMIT);
            client("Java -> C (rping)", address, peer, LARGE_FOR_C);
        }
    }

    private void client(String pair, InetSocketAddress address, PeerProcess server, int large)
            throws InterruptedException {
        for (int size : new int[] {SMALL, large}) {
            int count = size == SMALL ? SMALL_COUNT : LARGE_COUNT;
            try {
                PingResult result = new PingClient(PingOptions.of(address, count, size), SILENT).run();
                show(new Row(pair, size, count, result.count() == count, "", result));
            } catch (RdmaException e) {
                show(new Row(pair, size, count, false, e.getMessage() + "\n" + server.output(), new PingResult()));
            }
        }
    }

    private void cToJava(InetSocketAddress address) throws RdmaException, InterruptedException {
        for (int size : new int[] {SMALL, LARGE_FOR_C}) {
            int count = size == SMALL ? SMALL_COUNT : LARGE_COUNT;
            CompletableFuture<PingResult> served = new CompletableFuture<>();
            PingServer server = new PingServer(PingOptions.once(address), SILENT, served::complete);
            Thread thread = new Thread(() -> serve(server, served), "demo server");
            thread.start();
            server.awaitListening();
            cClient(address, size, count, served);
            thread.join();
        }
    }

    private static void serve(PingServer server, CompletableFuture<PingResult> served) {
        try {
            server.run();
            served.completeExceptionally(new IllegalStateException("the server has ended before its client"));
        } catch (RdmaException | InterruptedException | RuntimeException e) {
            served.completeExceptionally(e);
        }
    }

    private void cClient(InetSocketAddress address, int size, int count, CompletableFuture<PingResult> served)
            throws RdmaException, InterruptedException {
        String pair = "C (rping) -> Java";
        List<String> client = rping("-c -V -C " + count + " -S " + size, address);
        try (PeerProcess peer = PeerProcess.start(client)) {
            int status = peer.await(LIMIT);
            PingResult result = served.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            boolean complete = status == 0 && result.count() == count;
            show(new Row(pair, size, count, complete, "exit status " + status + "\n" + peer.output(), result));
        } catch (ExecutionException | TimeoutException e) {
            show(new Row(pair, size, count, false, "server: " + e, new PingResult()));
        }
    }

    private static List<String> rping(String options, InetSocketAddress address) {
        String place = " -a " + address.getAddress().getHostAddress() + " -p " + address.getPort();
        return List.of(("rping " + options + place).split(" ", -1));
    }

    private void show(Row row) {
        verified &= row.verified();
        out().printf(
                        Locale.ROOT,
                        "%-24s %,9d %,9d %,15d %10.1f us %10.1f us%n",
                        row.pair(),
                        row.size(),
                        row.verified() ? row.count() : row.times().count(),
                        row.verified() ? (long) row.count() * row.size() : 0,
                        row.times().medianMicros(),
                        row.times().p99Micros());
        if (!row.verified()) {
            out().println("  FAILED: " + row.trouble());
        }
    }
}
