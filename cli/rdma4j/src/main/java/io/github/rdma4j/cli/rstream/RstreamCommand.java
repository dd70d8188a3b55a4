// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rstream;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j rstream}. */
@Command(
        name = "rstream",
        description = "Measure a stream of bytes with a peer. Compatible with rstream(1).",
        footer = {
            "",
            "Give both sides the same options, as with rstream(1): they are not exchanged. Without -S, -C and -I a run"
                    + " has two connections, the first for latency and the second for bandwidth."
        })
public final class RstreamCommand extends RdmaCommand {
    private static final int PORT = 7471;
    private static final int MAX_BYTES = 1 << 28;
    private static final int MAX_TURNS = 1_000_000_000;
    private static final int MAX_INLINE = 1024;

    /** The buffer size that rstream sets, doubled by the library. */
    private static final int BUFFER = 1 << 19;

    private static final int CUSTOM_TRANSFERS = 1000;
    private static final int CUSTOM_BYTES = 1000;

    @Option(names = "-s", paramLabel = "ADDR", description = "Run as the client of the server on ADDR.")
    private @Nullable String server;

    @Option(names = "-b", paramLabel = "ADDR", description = "The local address.")
    private @Nullable String local;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port of the server, 1 to 65535 (${DEFAULT-VALUE}).")
    private int port = PORT;

    @Option(names = "-B", paramLabel = "BYTES", description = "Half the size of the buffers (${DEFAULT-VALUE}).")
    private int buffer = BUFFER;

    @Option(names = "-i", paramLabel = "BYTES", description = "Largest message that is sent inline, 0 to 1024.")
    private @Nullable Integer inline;

    @Option(names = "-I", paramLabel = "N", description = "Iterations, each with transfers in both directions (1).")
    private @Nullable Integer iterations;

    @Option(names = "-C", paramLabel = "N", description = "Transfers in one direction (1000).")
    private @Nullable Integer transfers;

    @Option(names = "-S", paramLabel = "BYTES", description = "Size of a transfer, 1 to 268435456 (1000).")
    private @Nullable Integer size;

    @Option(names = "-k", paramLabel = "SECONDS", description = "Period of keepalive; 0, the default, means none.")
    private int keepAlive;

    @Option(
            names = "-T",
            paramLabel = "TEST",
            description = "a: sleep until the connection is ready; b: blocking calls; n: calls that return at once (the"
                    + " default); v: verify the data. Several may be given.")
    private List<String> tests = List.of();

    /** The next expected byte in each direction; as in C, counted over all tests of a process. */
    private final Pattern sent = new Pattern();

    private final Pattern received = new Pattern();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        out().println("name         bytes     xfers     iters         total      time      Gb/sec   usec/xfer");
        boolean custom = iterations != null || transfers != null || size != null;
        List<List<Test>> connections = custom ? List.of(List.of(custom())) : List.of(Test.LATENCY, Test.BANDWIDTH);
        if (server != null) {
            InetSocketAddress to = new InetSocketAddress(Addresses.resolve(server), port);
            for (List<Test> run : connections) {
                run(RsocketChannel.connect(to, options()), run);
            }
        } else {
            InetSocketAddress at = Addresses.resolve(local, port);
            try (RsocketListener listener = RsocketListener.listen(at, connections.size(), options())) {
                for (List<Test> run : connections) {
                    run(listener.accept(), run);
                }
            }
        }
        return 0;
    }

    private void check() {
        requireWithin("-p", port, 1, MAX_PORT);
        requireWithin("-S", size, 1, MAX_BYTES);
        requireWithin("-C", transfers, 1, MAX_TURNS);
        requireWithin("-I", iterations, 1, MAX_TURNS);
        requireWithin("-B", buffer, 1 << 11, MAX_BYTES);
        requireWithin("-i", inline, 0, MAX_INLINE);
        requireWithin("-k", keepAlive, 0, MAX_TURNS);
        for (String test : tests) {
            require(
                    List.of("a", "b", "n", "v", "async", "blocking", "nonblocking", "verify", "r", "resolve")
                            .contains(test),
                    "-T " + test + ": the tests are a, b, n and v; r is accepted, because names are always resolved");
        }
    }

    private Test custom() {
        return new Test(
                "custom",
                size == null ? CUSTOM_BYTES : size,
                transfers == null ? CUSTOM_TRANSFERS : transfers,
                iterations == null ? 1 : iterations);
    }

    private RsocketOptions options() throws IOException {
        RsocketOptions.Builder options = RsocketOptions.builder()
                .receiveBuffer(2 * buffer)
                .sendBuffer(2 * buffer)
                .keepAlive(Duration.ofSeconds(keepAlive));
        if (inline != null) {
            options.inline(inline);
        }
        if (server != null && local != null) {
            options.source(new InetSocketAddress(Addresses.resolve(local), 0));
        }
        return options.build();
    }

    private boolean has(String letter) {
        return tests.stream().anyMatch(test -> test.startsWith(letter));
    }

    private void run(RsocketChannel connected, List<Test> all) throws IOException {
        try (RsocketChannel channel = connected) {
            Run run = new Run(channel);
            for (Test test : all) {
                print(test, run.time(test));
            }
        }
    }

    private void print(Test test, long nanos) {
        double seconds = nanos / 1e9;
        double bits = 8.0 * test.bytes() * test.total();
        out().printf(
                        Locale.ROOT,
                        "%-10s%8d%10d%10d%14d%9.2fs%12.2f%12.2f%n",
                        test.name(),
                        test.bytes(),
                        test.transfers(),
                        test.iterations(),
                        test.bytes() * test.total(),
                        seconds,
                        bits / seconds / 1e9,
                        seconds * 1e6 / test.total());
    }

    /** One side of the tests of rstream over a connection. For one thread. */
    private final class Run {
        /** The number of bytes that both sides send before the clock starts. */
        private static final int SYNC = 16;

        private static final Duration LONG = Duration.ofDays(1);

        private final RsocketChannel channel;
        private final boolean sleeps = has("a");
        private final boolean verify = has("v");
        private ByteBuffer buffer = ByteBuffer.allocateDirect(SYNC);

        Run(RsocketChannel channel) {
            this.channel = channel.configureBlocking(has("b") && !sleeps);
        }

        /** Runs a test; returns the time of the transfers in nanoseconds. */
        long time(Test test) throws IOException {
            if (buffer.capacity() < test.bytes()) {
                buffer = ByteBuffer.allocateDirect(test.bytes());
            }
            turn(true, SYNC, 1);
            turn(false, SYNC, 1);
            long start = System.nanoTime();
            for (int i = 0; i < test.iterations(); i++) {
                turn(true, test.bytes(), test.transfers());
                turn(false, test.bytes(), test.transfers());
            }
            return System.nanoTime() - start;
        }

        private void turn(boolean ofClient, int bytes, int transfers) throws IOException {
            for (int i = 0; i < transfers; i++) {
                buffer.clear().limit(bytes);
                if (ofClient == (server != null)) {
                    send();
                } else {
                    receive();
                }
            }
        }

        private void send() throws IOException {
            if (verify) {
                sent.fill(buffer);
            }
            while (buffer.hasRemaining()) {
                if (sleeps) {
                    channel.write(buffer, LONG);
                } else {
                    channel.write(buffer);
                }
            }
        }

        private void receive() throws IOException {
            while (buffer.hasRemaining()) {
                int bytes = sleeps ? channel.read(buffer, LONG) : channel.read(buffer);
                if (bytes < 0) {
                    throw new EOFException("the peer has closed the connection in the middle of a test");
                }
            }
            if (verify) {
                received.check(buffer);
            }
        }
    }

    /** A counter of bytes, numbered from 0. */
    private static final class Pattern {
        private int next;

        void fill(ByteBuffer bytes) {
            for (int i = 0; i < bytes.limit(); i++) {
                bytes.put(i, (byte) next++);
            }
        }

        void check(ByteBuffer bytes) throws RdmaException {
            for (int i = 0; i < bytes.limit(); i++) {
                if (bytes.get(i) != (byte) next++) {
                    throw new RdmaException("byte " + i + " of a transfer of " + bytes.limit() + " is "
                            + (bytes.get(i) & 0xff) + " and not " + (next - 1 & 0xff));
                }
            }
        }
    }

    /**
     * One test of rstream: in each iteration, the client sends a number of transfers, then the server.
     *
     * @param transfers the transfers in one direction
     */
    private record Test(String name, int bytes, int transfers, int iterations) {
        /** The first connection of a run without options: one transfer at a time. */
        static final List<Test> LATENCY = List.of(
                new Test("64_lat", 64, 1, 100_000),
                new Test("4k_lat", 4096, 1, 10_000),
                new Test("64k_lat", 1 << 16, 1, 1_000),
                new Test("1m_lat", 1 << 20, 1, 100));

        /** The second connection: the same number of transfers, back to back. */
        static final List<Test> BANDWIDTH = LATENCY.stream()
                .map(test -> new Test(test.name().replace("lat", "bw"), test.bytes(), test.iterations(), 1))
                .toList();

        /** The number of transfers in both directions. */
        long total() {
            return 2L * transfers * iterations;
        }
    }
}
