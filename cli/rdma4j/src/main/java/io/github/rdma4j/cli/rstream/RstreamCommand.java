// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rstream;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
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
        },
        mixinStandardHelpOptions = true)
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

    private final RstreamRun.Pattern sent = new RstreamRun.Pattern();
    private final RstreamRun.Pattern received = new RstreamRun.Pattern();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        out().printf("%-10s%8s%10s%10s%14s%10s%12s%12s%n", heads());
        boolean custom = iterations != null || transfers != null || size != null;
        List<List<RstreamRun.Test>> connections =
                custom ? List.of(List.of(custom())) : List.of(RstreamRun.Test.latency(), RstreamRun.Test.bandwidth());
        if (server != null) {
            InetSocketAddress to = new InetSocketAddress(Addresses.resolve(server), port);
            for (List<RstreamRun.Test> run : connections) {
                run(RsocketChannel.connect(to, options()), run);
            }
        } else {
            InetSocketAddress at =
                    local == null ? new InetSocketAddress(port) : new InetSocketAddress(Addresses.resolve(local), port);
            try (RsocketListener listener = RsocketListener.listen(at, connections.size(), options())) {
                for (List<RstreamRun.Test> run : connections) {
                    run(listener.accept(), run);
                }
            }
        }
        return 0;
    }

    private static Object[] heads() {
        return new Object[] {"name", "bytes", "xfers", "iters", "total", "time", "Gb/sec", "usec/xfer"};
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

    private RstreamRun.Test custom() {
        return new RstreamRun.Test(
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

    private RstreamRun.Mode mode() {
        if (tests.stream().anyMatch(test -> test.startsWith("a"))) {
            return RstreamRun.Mode.ASYNCHRONOUS;
        }
        return tests.stream().anyMatch(test -> test.startsWith("b"))
                ? RstreamRun.Mode.BLOCKING
                : RstreamRun.Mode.NONBLOCKING;
    }

    private void run(RsocketChannel connected, List<RstreamRun.Test> all) throws IOException {
        boolean verify = tests.stream().anyMatch(test -> test.startsWith("v"));
        try (RsocketChannel channel = connected) {
            RstreamRun run = new RstreamRun(channel, server != null, mode(), verify, sent, received);
            for (RstreamRun.Test test : all) {
                print(test, run.run(test));
            }
        }
    }

    private void print(RstreamRun.Test test, long nanos) {
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
}
