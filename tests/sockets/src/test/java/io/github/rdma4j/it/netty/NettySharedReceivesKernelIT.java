// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connections of a process share 767 receives: none of them may keep receives from the others. */
@RequiresKernel
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
class NettySharedReceivesKernelIT {
    /** What a connection takes of a peer that does not read: 12 messages with 8,176 bytes. */
    private static final int WINDOW = 12 * 8176;

    /** Together they would take 1,080 receives. */
    private static final int SILENT = 90;

    @AutoClose
    private final Ends ends = new Ends();

    private ServerBootstrap silent(Supplier<Recorder> recorders) {
        return ends.server(recorders::get)
                .option(ChannelOption.SO_BACKLOG, 2 * SILENT)
                .childOption(ChannelOption.AUTO_READ, false);
    }

    private Channel connect(Recorder recorder, Channel server) throws InterruptedException {
        return start(recorder, server).sync().channel();
    }

    private ChannelFuture start(Recorder recorder, Channel server) {
        return ends.client(recorder, RdmaWire.NATIVE)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Await.LIMIT.toMillis())
                .connect(server.localAddress());
    }

    private void echo(Channel server, int bytes) throws InterruptedException {
        Recorder recorder = new Recorder();
        Channel client = connect(recorder, server);
        client.writeAndFlush(Unpooled.wrappedBuffer(Ends.pattern(bytes, 1)));
        assertThat(recorder.bytes(bytes)).isEqualTo(Ends.pattern(bytes, 1));
        client.close().sync();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionsThatDoNotReadTakeNoReceivesFromOthers(boolean accepted) throws Exception {
        List<Recorder> readers = new CopyOnWriteArrayList<>();
        Supplier<Recorder> recorders = () -> {
            Recorder added = new Recorder();
            readers.add(added);
            return added;
        };
        Channel deaf = Ends.bound(silent(recorders).option(ChannelOption.AUTO_READ, accepted));
        Channel echoing = Ends.bound(ends.server(Echo::new));
        List<Channel> writers = new ArrayList<>();
        for (int i = 0; i < SILENT; i++) {
            Channel writer = connect(new Recorder(), deaf);
            // Copied to memory that was lent, and behind it to messages that wait.
            writer.writeAndFlush(Unpooled.wrappedBuffer(Ends.pattern(WINDOW, i)))
                    .sync();
            writers.add(writer);
        }
        echo(echoing, 1 << 20);
        for (Channel writer : writers) {
            writer.writeAndFlush(Unpooled.wrappedBuffer(Ends.pattern(100, 77)));
        }
        deaf.config().setAutoRead(true);
        Await.until("all connections accepted", () -> readers.size() == SILENT);
        for (Recorder reader : readers) {
            reader.channel().config().setAutoRead(true);
        }
        for (int i = 0; i < SILENT; i++) {
            byte[] read = readers.get(i).bytes(WINDOW + 100);
            assertThat(read).hasSize(WINDOW + 100);
            int connection = Byte.toUnsignedInt(read[0]);
            assertThat(read).startsWith(Ends.pattern(WINDOW, connection)).endsWith(Ends.pattern(100, 77));
        }
    }

    @Test
    void aReceiveBufferThatIsTooLargeForTheDeviceIsAsLargeAsTheDeviceAllows() throws Exception {
        Channel echoing = Ends.bound(ends.server(Echo::new)
                .childOption(ChannelOption.SO_RCVBUF, 1 << 30)
                .option(ChannelOption.SO_RCVBUF, 1 << 30));
        echo(echoing, 1 << 16);
    }

    @Nightly
    @Test
    void connectionsThatBreakTakeNoReceivesWithThem() throws Exception {
        Channel deaf = Ends.bound(silent(Recorder::new).childOption(ChannelOption.SO_LINGER, 0));
        Channel echoing = Ends.bound(ends.server(Echo::new));
        // A single lost receive for each would be more than all.
        int left = 810;
        while (left > 0) {
            List<ChannelFuture> connects = new ArrayList<>();
            for (int i = 0; i < SILENT; i++, left--) {
                connects.add(start(new Recorder(), deaf));
            }
            for (ChannelFuture connecting : connects) {
                connecting.sync().channel().writeAndFlush(Unpooled.wrappedBuffer(Ends.pattern(WINDOW, 0)));
            }
            for (int i = 0; i < SILENT; i++) {
                ends.accepted().close();
            }
            for (ChannelFuture connecting : connects) {
                connecting.channel().closeFuture().sync();
            }
        }
        echo(echoing, 1 << 20);
    }
}
