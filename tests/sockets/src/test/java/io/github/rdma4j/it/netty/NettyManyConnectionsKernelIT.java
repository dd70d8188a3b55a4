// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many connections of one server, each of which answers, and what they take when they are idle. */
@RequiresKernel
class NettyManyConnectionsKernelIT {
    /** On the native wire, more than the receives that all connections share at first. */
    private static final int CONNECTIONS = 1_000;

    private static final int CONNECTIONS_OF_RSOCKET = 200;

    /** The connections that are made, or used, at a time. */
    private static final int AT_A_TIME = 50;

    /** What an end may take, in KiB. */
    private static final int MOST = 200;

    private static long resident() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    @Nightly
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "ANY")
    void manyConnectionsAnswer(RdmaWire wire) throws Exception {
        int connections = wire == RdmaWire.NATIVE ? CONNECTIONS : CONNECTIONS_OF_RSOCKET;
        try (Ends ends = new Ends()) {
            Channel server = Ends.bound(ends.server(Echo::new).option(ChannelOption.SO_BACKLOG, AT_A_TIME));
            List<Channel> clients = new ArrayList<>();
            List<Recorder> recorders = new ArrayList<>();
            connect(ends, server, wire, clients, recorders);
            long before = resident();
            while (clients.size() < connections) {
                connect(ends, server, wire, clients, recorders);
            }
            long each = (resident() - before) / (2L * (connections - AT_A_TIME));
            System.out.println("an idle end of a connection on the wire " + wire + " takes " + each + " KiB");
            assertThat(each).isLessThan(MOST);
            for (int i = 0; i < connections; i++) {
                assertThat(recorders.get(i).bytes(1)).containsExactly((byte) i);
            }
        }
    }

    /** Makes some connections, and uses each once, so that all its memory is there. */
    private static void connect(
            Ends ends, Channel server, RdmaWire wire, List<Channel> clients, List<Recorder> recorders)
            throws InterruptedException {
        List<ChannelFuture> pending = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            recorders.add(new Recorder());
            pending.add(ends.client(recorders.get(recorders.size() - 1), wire)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Await.LIMIT.toMillis())
                    .connect(server.localAddress()));
        }
        for (ChannelFuture connecting : pending) {
            Channel client = connecting.sync().channel();
            client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {(byte) clients.size()}))
                    .sync();
            clients.add(client);
        }
    }
}
