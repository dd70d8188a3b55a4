// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.bench;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j bench}. */
@Command(
        name = "bench",
        description = "Measure beside the C tools, in one guest and one run.",
        mixinStandardHelpOptions = true,
        subcommands = {BenchCommand.Ping.class, BenchCommand.Cm.class, BenchCommand.Responder.class},
        synopsisSubcommandLabel = "ping|cm")
public final class BenchCommand {
    /** For picocli. */
    public BenchCommand() {}

    /** {@code rdma4j bench ping}. */
    @Command(
            name = "ping",
            description = "Send/receive latency of 64 bytes, Java beside ib_send_lat: median of half a round trip.",
            mixinStandardHelpOptions = true)
    static final class Ping implements Callable<Integer> {
        private static final int LIMIT_SECONDS = 600;

        @Option(names = "--on", paramLabel = "vm|host", description = "Where: a guest, or this machine's own device.")
        private String where = "vm";

        @Option(names = "--inside", hidden = true)
        private boolean inside;

        @Override
        public Integer call() throws RdmaException, InterruptedException {
            if (!inside) {
                return GuestRun.run(where, LIMIT_SECONDS, List.of(), List.of("bench", "ping", "--inside"));
            }
            new PingBench(RdmaAddress.first(), System.out).run();
            return 0;
        }
    }

    /** {@code rdma4j bench cm}. */
    @Command(
            name = "cm",
            description = "Connections per second and time of each step, Java beside cmtime.",
            mixinStandardHelpOptions = true)
    static final class Cm implements Callable<Integer> {
        private static final int LIMIT_SECONDS = 900;

        @Option(names = "--on", paramLabel = "vm|host", description = "Where: a guest, or this machine's own device.")
        private String where = "vm";

        @Option(
                names = {"-c", "--connections"},
                paramLabel = "N",
                description = "Connections of a round (${DEFAULT-VALUE}).")
        private int connections = 1000;

        @Option(names = "--inside", hidden = true)
        private boolean inside;

        @Override
        public Integer call() throws RdmaException, InterruptedException {
            if (!inside) {
                String count = String.valueOf(connections);
                return GuestRun.run(
                        where, LIMIT_SECONDS, GuestRun.SHORT_LIVED, List.of("bench", "cm", "--inside", "-c", count));
            }
            new CmBench(RdmaAddress.first(), connections, System.out).run();
            return 0;
        }
    }

    /** The other end of the Java measurement, in a process of its own as the C tool has it. */
    @Command(name = "responder", hidden = true)
    static final class Responder implements Callable<Integer> {
        @Parameters(index = "0")
        private @Nullable String address;

        @Parameters(index = "1")
        private int port;

        @Override
        public Integer call() throws RdmaException, InterruptedException, UnknownHostException {
            PingPong.respond(new InetSocketAddress(InetAddress.getByName(address), port), System.out);
            return 0;
        }
    }
}
