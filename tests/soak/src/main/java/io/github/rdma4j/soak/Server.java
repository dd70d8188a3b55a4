// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cli.ping.PingClient;
import io.github.rdma4j.cli.ping.PingOptions;
import io.github.rdma4j.soak.host.EchoClient;
import io.github.rdma4j.soak.host.NettyClient;
import io.github.rdma4j.soak.host.NioClient;
import io.github.rdma4j.soak.host.Ports;
import io.github.rdma4j.soak.host.StreamClient;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A server that connections can be made to, with the process that it is in. */
enum Server {
    PING("ping", Ports.PING, "ping", (stage, at, n, seed) -> ping(at, n)),
    LOOP_ECHO("loop echo", Ports.LOOP_ECHO, "echo", Server::echoOnLoop),
    BLOCKING_ECHO("blocking echo", Ports.BLOCKING_ECHO, "echo", Server::echoBlocking),
    POOLED_ECHO("pooled echo", Ports.POOLED_ECHO, "pools", Server::echoOnLoop),
    SELECTED_ECHO("selected echo", Ports.SELECTED_ECHO, "pools", Server::echoOnLoop),
    STREAM_ECHO("stream echo", Ports.STREAM_ECHO, "streams", (stage, at, n, seed) -> new StreamClient(at).run(n, seed)),
    NIO_ECHO("nio echo", Ports.NIO_ECHO, "streams", (stage, at, n, seed) -> new NioClient(at).run(n, seed)),
    NETTY_ECHO("netty echo", Ports.NETTY_ECHO, "streams", (stage, at, n, seed) -> new NettyClient(at).run(n, seed)),
    CMATOSE("cmatose", Ports.CMATOSE, "transfer", null);

    private static final int PING_BYTES = 4096;
    private static final List<Server> FOR_MANY = List.of(PING, LOOP_ECHO, BLOCKING_ECHO, POOLED_ECHO, SELECTED_ECHO);

    private final String title;
    private final int port;
    private final String process;

    @SuppressWarnings("ImmutableEnumChecker") // a function of its arguments
    private final @Nullable Client client;

    Server(String title, int port, String process, @Nullable Client client) {
        this.title = title;
        this.port = port;
        this.process = process;
        this.client = client;
    }

    /** A client in this program. */
    interface Client {
        /**
         * Sends so many messages, whose bytes the seed decides, and verifies what comes back.
         *
         * @throws java.io.IOException if the client was not served to its end
         */
        void run(Stage stage, InetSocketAddress server, int messages, long seed) throws Exception;
    }

    static void ping(InetSocketAddress server, int count) throws Exception {
        PingOptions options = PingOptions.of(server, count, PING_BYTES);
        long answered = new PingClient(options, new PrintWriter(Writer.nullWriter()))
                .run()
                .count();
        if (answered != count) {
            throw new SoakFailureException("a ping client ended without an error after " + answered + " of " + count);
        }
    }

    private static void echoOnLoop(Stage stage, InetSocketAddress server, int messages, long seed) throws Exception {
        new EchoClient(server, messages, seed, stage.violations()).runOn(stage.loop());
    }

    private static void echoBlocking(Stage stage, InetSocketAddress server, int messages, long seed) throws Exception {
        new EchoClient(server, messages, seed, stage.violations()).runBlocking();
    }

    /** Uses the server from this program; empty if only programs in C do. */
    Optional<TimedCall.Action> use(Stage stage, int messages, long seed) {
        Client using = client;
        InetSocketAddress at = stage.serverAt(port);
        return using == null ? Optional.empty() : Optional.of(() -> using.run(stage, at, messages, seed));
    }

    int port() {
        return port;
    }

    /** The name of the process that it is in. */
    String process() {
        return process;
    }

    static Server any(Random random) {
        return values()[random.nextInt(values().length)];
    }

    /** Not cmatose, which serves one client at a time and has every right to end with it. */
    static Server forMany(Random random) {
        return FOR_MANY.get(random.nextInt(FOR_MANY.size()));
    }

    @Override
    public String toString() {
        return title;
    }
}
