// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.Await;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which wire two channels speak, and whose buffers the native one has. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
abstract class NettyWireScenarios {
    @AutoClose
    private final Ends ends = new Ends();

    private RdmaSocketChannel connected(Recorder recorder, Channel server) throws InterruptedException {
        return (RdmaSocketChannel) Ends.connected(ends.client(recorder, RdmaWire.NATIVE), server);
    }

    // Which wire.

    @ParameterizedTest
    @CsvSource({
        "ANY, ANY, true",
        "ANY, NATIVE, true",
        "NATIVE, ANY, true",
        "NATIVE, NATIVE, true",
        "RSOCKET, ANY, false",
        "ANY, RSOCKET, false",
        "RSOCKET, RSOCKET, false"
    })
    void channelsMeetOnAWireThatBothSpeak(RdmaWire ofClient, RdmaWire ofServer, boolean isNative) throws Exception {
        Channel server = Ends.bound(ends.server(Echo::new, ofServer));
        Recorder recorder = new Recorder();
        RdmaSocketChannel client = (RdmaSocketChannel) Ends.connected(ends.client(recorder, ofClient), server);
        assertThat(client.registeredAlloc() instanceof RegisteredByteBufAllocator)
                .isEqualTo(isNative);
        RdmaSocketChannel accepted = (RdmaSocketChannel) ends.accepted();
        assertThat(accepted.registeredAlloc() instanceof RegisteredByteBufAllocator)
                .isEqualTo(isNative);
        client.writeAndFlush(Unpooled.copyInt(42));
        assertThat(recorder.bytes(4)).containsExactly(0, 0, 0, 42);
    }

    @ParameterizedTest
    @CsvSource({"NATIVE, RSOCKET", "RSOCKET, NATIVE"})
    void channelsWithoutACommonWireDoNotConnect(RdmaWire ofClient, RdmaWire ofServer) throws Exception {
        Channel server = Ends.bound(ends.server(Echo::new, ofServer));
        ChannelFuture refused = ends.client(new Recorder(), ofClient)
                .connect(server.localAddress())
                .awaitUninterruptibly();
        assertThat(refused.cause()).isInstanceOf(ConnectException.class).hasMessageContaining("Connection refused");
    }

    // Whose buffers.

    /** Keeps all buffers. */
    private static final class Keeper extends ChannelInboundHandlerAdapter {
        private final List<ByteBuf> kept = new CopyOnWriteArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            kept.add((ByteBuf) message);
        }

        int count() {
            return kept.stream().mapToInt(ByteBuf::readableBytes).sum();
        }
    }

    @Test
    void largeMessagesStayInTheBuffersThatTheDeviceHasWritten() throws Exception {
        int bytes = 2_000_000;
        Keeper keeper = new Keeper();
        Channel server = Ends.bound(ends.server(() -> keeper));
        RdmaSocketChannel client = connected(new Recorder(), server);
        ByteBuf sent = client.registeredAlloc().directBuffer(bytes, bytes);
        sent.writeBytes(Ends.pattern(bytes, 0));
        client.writeAndFlush(sent).sync();
        assertThat(sent.refCnt()).isZero();
        // More than the receives: a kept buffer is not missed.
        Await.until("all bytes", () -> keeper.count() == bytes);
        assertThat(keeper.kept)
                .anySatisfy(part -> assertThat(part.alloc()).isInstanceOf(RegisteredByteBufAllocator.class));
        ByteBuf all = Unpooled.wrappedBuffer(keeper.kept.toArray(ByteBuf[]::new));
        byte[] got = new byte[bytes];
        all.readBytes(got);
        client.close().sync();
        all.release();
        assertThat(got).isEqualTo(Ends.pattern(bytes, 0));
        assertThat(keeper.kept).allSatisfy(part -> assertThat(part.refCnt()).isZero());
    }

    @Test
    void smallMessagesAreCopiedIntoTheBuffersOfTheChannel() throws Exception {
        Keeper keeper = new Keeper();
        Channel server = Ends.bound(ends.server(() -> keeper));
        RdmaSocketChannel client = connected(new Recorder(), server);
        client.writeAndFlush(client.registeredAlloc().directBuffer(8).writeLong(7))
                .sync();
        Await.until("all bytes", () -> keeper.count() == 8);
        assertThat(keeper.kept).allSatisfy(part -> {
            assertThat(part.alloc()).isNotInstanceOf(RegisteredByteBufAllocator.class);
            part.release();
        });
    }

    @Test
    void buffersOfAllKindsGoTogether() throws Exception {
        Channel server = Ends.bound(ends.server(Echo::new));
        Recorder recorder = new Recorder();
        RdmaSocketChannel client = connected(recorder, server);
        CompositeByteBuf whole = client.alloc().compositeBuffer();
        ByteBuf source = Unpooled.wrappedBuffer(Ends.pattern(100_000, 0));
        for (int length : new int[] {1, 5_000, 100, 20_000, 2_047, 2_048, 40_000}) {
            ByteBuf part = switch (length % 3) {
                case 0 -> Unpooled.buffer(length);
                case 1 -> client.alloc().directBuffer(length);
                default -> client.registeredAlloc().directBuffer(length);
            };
            whole.addComponent(true, part.writeBytes(source, length));
        }
        client.write(whole);
        client.write(Unpooled.EMPTY_BUFFER);
        client.write(client.registeredAlloc()
                .directBuffer(10_001)
                .writeByte(0)
                .writeBytes(source, 10_000)
                .slice(1, 10_000));
        ByteBuf rest = client.registeredAlloc().directBuffer(source.readableBytes());
        ChannelFuture last = client.writeAndFlush(rest.writeBytes(source));
        byte[] got = recorder.bytes(100_000);
        assertThat(got).isEqualTo(Ends.pattern(100_000, 0));
        last.sync();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10})
    void registeredBytesArriveFromAChannelThatIsClosedAtOnce(int linger) throws Exception {
        int bytes = 60_000;
        Recorder recorder = new Recorder();
        Channel server = Ends.bound(ends.server(() -> recorder));
        RdmaSocketChannel client = (RdmaSocketChannel) Ends.connected(
                ends.client(new Recorder(), RdmaWire.NATIVE).option(ChannelOption.SO_LINGER, linger), server);
        ByteBuf sent = client.registeredAlloc().directBuffer(bytes, bytes);
        sent.writeBytes(Ends.pattern(bytes, 0));
        ChannelFuture written = client.writeAndFlush(sent);
        client.close().sync();
        assertThat(written.await().isSuccess()).isTrue();
        recorder.awaitInactive();
        assertThat(recorder.bytes(bytes)).isEqualTo(Ends.pattern(bytes, 0));
        assertThat(recorder.failures()).isEmpty();
        Await.until("released", () -> sent.refCnt() == 0);
    }
}
