// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C's rstream as the client of a server with Netty, which sends back every byte; the client compares them. */
@RequiresKernel
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
class NettyInteropIT {
    /** What both programs send first. */
    private static final int GREETING = 16;

    @AutoClose
    private final Ends ends = new Ends();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-S 1 -C 100 -I 2 -T v -T b",
                "-S 64 -C 100 -I 10 -T v -T n",
                "-S 64 -C 100 -I 10 -T v -T a",
                "-S 65536 -C 50 -I 2 -T v -T b",
                "-S 1000000 -C 5 -I 1 -T v -T b",
                "-S 100000 -C 3 -I 2 -T v -T b -B 4096"
            })
    void servesTheCClient(String options) throws Exception {
        InetSocketAddress at =
                (InetSocketAddress) Ends.bound(ends.server(Echo::new)).localAddress();
        List<String> line = new ArrayList<>(List.of("rstream", "-s", Rxe.IPV4, "-p", Integer.toString(at.getPort())));
        line.addAll(List.of(options.split(" ")));
        try (Program client = Program.start(line.toArray(String[]::new))) {
            client.success();
        }
        ends.accepted().closeFuture().sync();
    }

    /** C's server rejects the native wire without telling its program, and the channel asks for the other one. */
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "NATIVE")
    void isServedByTheCServer(RdmaWire wire) throws Exception {
        int port = Rxe.newPort();
        try (Program server = Program.start(
                "rstream", "-b", Rxe.IPV4, "-p", Integer.toString(port), "-S", "64", "-C", "1", "-I", "1")) {
            AtomicReference<Recorder> connected = new AtomicReference<>();
            Await.until("the server listens", () -> connected.updateAndGet(none -> connect(port, wire)) != null);
            Recorder recorder = Objects.requireNonNull(connected.get());
            Channel client = recorder.channel();
            client.writeAndFlush(Unpooled.wrappedBuffer(new byte[GREETING]));
            recorder.bytes(GREETING);
            client.writeAndFlush(Unpooled.wrappedBuffer(new byte[64]));
            recorder.bytes(GREETING + 64);
            client.close().sync();
            server.success();
            assertThat(recorder.failures()).isEmpty();
        }
    }

    private @Nullable Recorder connect(int port, RdmaWire wire) {
        Recorder recorder = new Recorder();
        ChannelFuture made = ends.client(recorder, wire)
                .connect(new InetSocketAddress(Rxe.IPV4, port))
                .awaitUninterruptibly();
        return made.isSuccess() ? recorder : null;
    }
}
