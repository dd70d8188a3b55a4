// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Closing;
import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a stream in this JVM. */
@SuppressWarnings("NullAway.Init")
abstract class RsocketScenarios extends Closing {
    private RsocketChannel client;
    private RsocketChannel server;

    private void connect(RsocketOptions options) throws Exception {
        RsocketListener listener = closing(RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0), 4, options));
        client = closing(RsocketChannel.connect(listener.localAddress(), options));
        server = closing(listener.accept(Await.LIMIT).orElseThrow());
        assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
        assertThat(server.localAddress()).isEqualTo(client.remoteAddress());
    }

    private void connect() throws Exception {
        connect(RsocketOptions.DEFAULT);
    }

    static ByteBuffer pattern(int length, int first) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (first + i * 7 + i / 251));
        }
        return bytes;
    }

    private static ByteBuffer read(RsocketChannel from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            assertThat(from.read(bytes)).isPositive();
        }
        return bytes.flip();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 2048, 4096, 65_536, 1_000_003, 6 << 20})
    void bytesArriveAsTheyWereSentInBothDirections(int length) throws Exception {
        connect();
        for (int round = 0; round < 3; round++) {
            ByteBuffer sent = pattern(length, round);
            Await.Running<Integer> writing = Await.inThread(() -> client.write(sent.duplicate()));
            assertThat(read(server, length)).isEqualTo(sent);
            assertThat(writing.result()).isEqualTo(length);
            Await.Running<Integer> answering = Await.inThread(() -> server.write(sent.duplicate()));
            assertThat(read(client, length)).isEqualTo(sent);
            assertThat(answering.result()).isEqualTo(length);
        }
    }

    @Test
    void bothDirectionsAreIndependent() throws Exception {
        connect();
        int length = 3_000_000;
        ByteBuffer there = pattern(length, 1);
        ByteBuffer back = pattern(length, 2);
        Await.Running<Integer> one = Await.inThread(() -> client.write(there.duplicate()));
        Await.Running<Integer> two = Await.inThread(() -> server.write(back.duplicate()));
        Await.Running<ByteBuffer> three = Await.inThread(() -> read(server, length));
        assertThat(read(client, length)).isEqualTo(back);
        assertThat(three.result()).isEqualTo(there);
        assertThat(one.result() + two.result()).isEqualTo(2 * length);
    }

    @Nightly
    @Test
    void manySmallWritesExceedTheCountOfSixteenBits() throws Exception {
        connect(RsocketOptions.builder().sendQueue(64).receiveQueue(32).build());
        int messages = 70_000;
        Await.Running<Void> writing = Await.inThread(() -> {
            ByteBuffer number = ByteBuffer.allocateDirect(4);
            for (int i = 0; i < messages; i++) {
                client.write(number.putInt(0, i).clear());
            }
            return null;
        });
        ByteBuffer number = ByteBuffer.allocateDirect(4);
        for (int i = 0; i < messages; i++) {
            number.clear();
            while (number.hasRemaining()) {
                assertThat(server.read(number)).isPositive();
            }
            assertThat(number.getInt(0)).isEqualTo(i);
        }
        writing.result();
    }

    @Test
    void theEndOfTheOutputComesAfterAllBytesAndTheOtherDirectionGoesOn() throws Exception {
        connect();
        client.write(pattern(100_000, 3));
        client.shutdownOutput();
        assertThatThrownBy(() -> client.write(ByteBuffer.allocate(1))).isInstanceOf(ClosedChannelException.class);
        assertThat(read(server, 100_000)).isEqualTo(pattern(100_000, 3));
        assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        ByteBuffer answer = pattern(500_000, 4);
        Await.Running<Integer> answering = Await.inThread(() -> server.write(answer.duplicate()));
        assertThat(read(client, 500_000)).isEqualTo(answer);
        answering.result();
        server.shutdownOutput();
        assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void whoEndsTheInputReadsItsEndAndGoesOnWriting() throws Exception {
        connect();
        client.shutdownInput();
        assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        server.write(pattern(1000, 1));
        assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        client.write(pattern(100_000, 2));
        assertThat(read(server, 100_000)).isEqualTo(pattern(100_000, 2));
    }

    /** The listener may have taken the first attempt, which then ends without a byte. */
    @Test
    void aConnectThatWasCancelledHoldsUpNoOther() throws Exception {
        RsocketListener listener = closing(RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0)));
        CompletableFuture<RsocketChannel> cancelled = connectAsync(listener);
        if (!cancelled.cancel(false)) {
            cancelled.get().close();
        }
        CompletableFuture<RsocketChannel> other = connectAsync(listener);
        Await.Running<ByteBuffer> reading = Await.inThread(() -> firstByte(listener));
        client = closing(other.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        client.write(pattern(1, 42));
        assertThat(reading.result()).isEqualTo(pattern(1, 42));
    }

    private ByteBuffer firstByte(RsocketListener listener) throws Exception {
        ByteBuffer first = ByteBuffer.allocate(1);
        while (first.hasRemaining()) {
            server = closing(listener.accept(Await.LIMIT).orElseThrow());
            try {
                int unused = server.read(first);
            } catch (SocketException e) {
                assertThat(e).hasMessageContaining("reset");
            }
        }
        return first.flip();
    }

    private static CompletableFuture<RsocketChannel> connectAsync(RsocketListener listener) {
        return RsocketChannel.connectAsync(listener.localAddress(), RsocketOptions.DEFAULT);
    }

    @Test
    void whatWasWrittenBeforeACloseArrives() throws Exception {
        connect();
        client.write(pattern(60_000, 5));
        client.close();
        assertThat(read(server, 60_000)).isEqualTo(pattern(60_000, 5));
        assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertNobodyReads(server);
        assertThatThrownBy(() -> client.read(ByteBuffer.allocate(1))).isInstanceOf(ClosedChannelException.class);
    }

    /** As over TCP, the first write succeeds. */
    private static void assertNobodyReads(RsocketChannel writer) throws IOException {
        assertThat(writer.write(ByteBuffer.allocate(1))).isEqualTo(1);
        assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(1)))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("Broken pipe");
    }

    @Test
    void aWriterThatNeverReadsHearsOfTheEndAndWhatHasComeCanStillBeRead() throws Exception {
        connect();
        server.write(pattern(2_000, 6));
        server.close(); // returns when the client's device has the message
        assertNobodyReads(client);
        assertThat(read(client, 2_000)).isEqualTo(pattern(2_000, 6));
        assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void aCloseWithoutLingeringResetsThePeer() throws Exception {
        connect(RsocketOptions.builder().linger(Duration.ZERO).build());
        Await.Running<Integer> reading = Await.inThread(() -> server.read(ByteBuffer.allocate(1)));
        reading.untilAsleep();
        client.close();
        assertThat(reading.failure()).isInstanceOf(SocketException.class).hasMessageStartingWith("Connection reset");
    }

    @Test
    void aNonBlockingChannelReturnsAtOnce() throws Exception {
        connect();
        client.configureBlocking(false);
        assertThat(client.isBlocking()).isFalse();
        assertThat(server.isBlocking()).isTrue();
        assertThat(client.read(ByteBuffer.allocate(1))).isZero();
        ByteBuffer much = pattern(10_000_000, 6);
        Await.holds(Duration.ofMillis(200), () -> written(much) == 0);
        assertThat(much.remaining()).as("the server does not read").isPositive();
        assertThat(server.read(ByteBuffer.allocate(1), Await.LIMIT)).isEqualTo(1);
    }

    private int written(ByteBuffer much) {
        try {
            return client.write(much);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aReadEndsAtItsLimit() throws Exception {
        connect();
        assertThat(server.read(ByteBuffer.allocate(1), Duration.ofMillis(20))).isZero();
        client.write(ByteBuffer.wrap(new byte[] {9}));
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(server.read(one, Await.LIMIT)).isEqualTo(1);
        assertThat(one.get(0)).isEqualTo((byte) 9);
    }

    @Test
    void anotherThreadEndsARead() throws Exception {
        connect();
        Await.Running<Integer> reading = Await.inThread(() -> server.read(ByteBuffer.allocate(1)));
        // Before, the reader may wait for the lock of the stream, and then finds the channel closed.
        reading.untilInside("sleep");
        server.close();
        assertThat(reading.failure()).isInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void anInterruptClosesTheChannel() throws Exception {
        connect();
        Await.Running<Integer> reading = Await.inThread(() -> server.read(ByteBuffer.allocate(1)));
        reading.untilAsleep();
        reading.thread().interrupt();
        assertThat(reading.failure()).isInstanceOf(ClosedByInterruptException.class);
        assertThat(server.isOpen()).isFalse();
        assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void aClientIsConnectedAndMayWriteBeforeTheServerAccepts() throws Exception {
        RsocketListener listener = closing(RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0)));
        RsocketChannel early = closing(RsocketChannel.connect(listener.localAddress()));
        early.write(pattern(1000, 7));
        assertThat(read(closing(listener.accept()), 1000)).isEqualTo(pattern(1000, 7));
        assertThat(listener.accept(Duration.ZERO)).isEmpty();
    }

    @Test
    void aServerMaySpeakFirstAndCloseAtOnce() throws Exception {
        RsocketListener listener = closing(RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0)));
        int clients = 40;
        Await.Running<Void> serving = Await.inThread(() -> {
            for (int i = 0; i < clients; i++) {
                try (RsocketChannel each = listener.accept()) {
                    each.write(pattern(100, i));
                }
            }
            return null;
        });
        for (int i = 0; i < clients; i++) {
            try (RsocketChannel each = RsocketChannel.connect(listener.localAddress())) {
                assertThat(read(each, 100)).isEqualTo(pattern(100, i));
                assertThat(each.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
        serving.result();
    }

    @Test
    void aClientFillsTheReceiveBufferBeforeTheServerAccepts() throws Exception {
        RsocketListener listener = closing(RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0)));
        RsocketChannel early = closing(RsocketChannel.connect(listener.localAddress()));
        int size = 1 << 17;
        assertThat(early.write(pattern(size, 7), Await.LIMIT)).isEqualTo(size);
        assertThat(read(closing(listener.accept()), size)).isEqualTo(pattern(size, 7));
    }

    @Test
    void moreClientsThanTheBacklogAreRefused() throws Exception {
        InetSocketAddress any = new InetSocketAddress(Rxe.IPV4, 0);
        RsocketListener listener = closing(RsocketListener.listen(any, 1, RsocketOptions.DEFAULT));
        closing(RsocketChannel.connect(listener.localAddress()));
        assertThatThrownBy(() -> RsocketChannel.connect(listener.localAddress()))
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("Connection refused");
        closing(listener.accept());
        closing(RsocketChannel.connect(listener.localAddress()));
        closing(listener.accept());
    }

    @Test
    void nobodyListens() {
        assertThatThrownBy(() -> RsocketChannel.connect(Rxe.newAddress()))
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("Connection refused");
    }

    @Test
    void buffersAreGatheredAndScattered() throws Exception {
        connect();
        ByteBuffer[] parts = {pattern(10, 1), ByteBuffer.allocate(0), pattern(70_000, 2)};
        assertThat(client.write(parts)).isEqualTo(70_010);
        ByteBuffer[] into = {ByteBuffer.allocate(5), ByteBuffer.allocate(5)};
        assertThat(server.read(into)).isEqualTo(10);
        assertThat(into[1].flip()).isEqualTo(pattern(10, 1).position(5));
        ByteBuffer rest = pattern(70_000, 2);
        assertThat(read(server, 1)).isEqualTo(rest.slice(0, 1)); // waits for the message, which is another
        assertThat(server.peek(ByteBuffer.allocate(100))).isEqualTo(100);
        assertThat(read(server, 69_999)).isEqualTo(rest.position(1));
    }

    @Test
    void aPeerThatIsAskedWhetherItAnswersNoticesNothing() throws Exception {
        connect(RsocketOptions.builder().keepAlive(Duration.ofMillis(5)).build());
        assertThat(server.read(ByteBuffer.allocate(1), Duration.ofMillis(100))).isZero();
        client.write(pattern(10, 1));
        assertThat(read(server, 10)).isEqualTo(pattern(10, 1));
    }
}
