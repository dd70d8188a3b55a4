// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs may expect of the channels of any provider. */
@Timeout(120)
public abstract class SocketChannelScenarios {
    private final SelectorProvider provider;
    private final InetAddress host;

    @AutoClose
    private Pair pair;

    protected SocketChannelScenarios(SelectorProvider provider, InetAddress host) {
        this.provider = provider;
        this.host = host;
    }

    @BeforeEach
    void connect() throws IOException {
        pair = Pair.open(provider, host);
    }

    @Test
    void bothEndsKnowBothAddresses() throws IOException {
        assertThat(pair.client().getRemoteAddress()).isEqualTo(pair.listener().getLocalAddress());
        assertThat(pair.server().getRemoteAddress()).isEqualTo(pair.client().getLocalAddress());
        assertThat(pair.server().getLocalAddress()).isEqualTo(pair.client().getRemoteAddress());
        assertThat(pair.client().isConnected()).isTrue();
        assertThat(pair.client().isConnectionPending()).isFalse();
        assertThat(pair.client().provider()).isSameAs(provider);
        assertThat(pair.server().provider()).isSameAs(provider);
    }

    @Test
    void bytesArriveFromBuffersOnTheHeapAndDirectOnes() throws IOException {
        ByteBuffer direct = ByteBuffer.allocateDirect(8);
        assertThat(direct.put(Pair.bytes("direct")).flip().remaining()).isEqualTo(6);
        assertThat(pair.client().write(Pair.bytes("heap,"))).isEqualTo(5);
        assertThat(pair.client().write(direct)).isEqualTo(6);
        assertThat(direct.hasRemaining()).isFalse();
        assertThat(Pair.read(pair.server(), 11)).isEqualTo("heap,direct");
    }

    @Test
    void aReadFillsTheBufferFromItsPosition() throws IOException {
        assertThat(pair.client().write(Pair.bytes("abc"))).isEqualTo(3);
        ByteBuffer target = ByteBuffer.allocateDirect(10).position(4).limit(6);
        assertThat(pair.server().read(target)).isEqualTo(2);
        assertThat(target.position()).isEqualTo(6);
        assertThat(target.get(4)).isEqualTo((byte) 'a');
        assertThat(Pair.read(pair.server(), 1)).isEqualTo("c");
    }

    @Test
    void buffersAreGatheredAndScatteredInOrderWhateverTheirKind() throws IOException {
        ByteBuffer direct = ByteBuffer.allocateDirect(3).put(Pair.bytes("def")).flip();
        ByteBuffer[] sources = {Pair.bytes("never"), Pair.bytes("abc"), ByteBuffer.allocate(0), direct, Pair.bytes("gh")
        };
        assertThat(pair.client().write(sources, 1, 4)).isEqualTo(8);
        assertThat(sources[0].position()).isZero();
        ByteBuffer[] targets = {
            ByteBuffer.allocateDirect(2), ByteBuffer.allocate(0), ByteBuffer.allocate(3), ByteBuffer.allocateDirect(9)
        };
        assertThat(pair.server().read(targets)).isEqualTo(8);
        assertThat(targets[2].array()).asString().isEqualTo("cde");
        assertThat(targets[3].position()).isEqualTo(3);
        assertThat(targets[3].get(0)).isEqualTo((byte) 'f');
    }

    @Test
    void aScatteringReadThatEndsInABufferMovesNoLaterOne() throws IOException {
        assertThat(pair.client().write(Pair.bytes("abcd"))).isEqualTo(4);
        ByteBuffer[] targets = {
            ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1), ByteBuffer.allocate(5), ByteBuffer.allocate(5)
        };
        assertThat(pair.server().read(targets)).isEqualTo(4);
        assertThat(targets[0].get(0)).isEqualTo((byte) 'a');
        assertThat(targets[2].position()).isEqualTo(2);
        assertThat(targets[2].get(1)).isEqualTo((byte) 'd');
        assertThat(targets[3].position()).isZero();
    }

    @Test
    void manyBuffersAndLargeOnesGoThroughInSeveralSteps() throws Exception {
        Random random = new Random(2);
        ByteBuffer all = ByteBuffer.allocate(400_000);
        random.nextBytes(all.array());
        Await.Running<Boolean> writer = Pair.blocked(() -> {
            ByteBuffer[] sources = cut(all.array(), new Random(3));
            while (sources[sources.length - 1].hasRemaining()) {
                assertThat(pair.client().write(sources)).isPositive();
            }
            return true;
        });
        ByteBuffer received = ByteBuffer.allocate(all.capacity());
        ByteBuffer[] targets = cut(new byte[all.capacity()], random);
        while (targets[targets.length - 1].hasRemaining()) {
            assertThat(pair.server().read(targets)).isPositive();
        }
        for (ByteBuffer target : targets) {
            assertThat(received.put(target.flip()).position()).isNotNegative();
        }
        assertThat(received.array()).isEqualTo(all.array());
        assertThat(writer.result()).isTrue();
    }

    /** The bytes in more buffers than one call takes, of both kinds; the last is not empty. */
    private static ByteBuffer[] cut(byte[] bytes, Random random) {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int from = 0; from < bytes.length; ) {
            int most = buffers.size() < 1500 ? 20 : 90_000;
            int length = Math.min(bytes.length - from, random.nextInt(most));
            ByteBuffer buffer = random.nextBoolean() ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
            buffers.add(buffer.put(bytes, from, length).flip());
            from += length;
        }
        return buffers.toArray(ByteBuffer[]::new);
    }

    @Test
    void aWriteThatBlocksWritesEverythingAndTheReaderGetsEveryByte() throws Exception {
        byte[] sent = new byte[3_000_000];
        new Random(1).nextBytes(sent);
        Await.Running<Integer> writer = Pair.blocked(() -> pair.client().write(ByteBuffer.wrap(sent)));
        ByteBuffer received = ByteBuffer.allocate(sent.length);
        while (received.hasRemaining()) {
            assertThat(pair.server().read(received)).isPositive();
        }
        assertThat(received.array()).isEqualTo(sent);
        assertThat(writer.result()).isEqualTo(sent.length);
    }

    @Test
    void aWriteThatDoesNotBlockEndsWhenNothingMoreFits() throws IOException {
        assertThat(pair.client().configureBlocking(false).isBlocking()).isFalse();
        ByteBuffer source = ByteBuffer.allocateDirect(1 << 20);
        long written = 0;
        for (int n = pair.client().write(source); n > 0; n = pair.client().write(source)) {
            written += n;
            source.clear();
        }
        assertThat(pair.client().write(new ByteBuffer[] {source})).isZero();
        ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
        while (written > 0) {
            written -= pair.server().read(target.clear());
        }
        assertThat(written).isZero();
    }

    @Test
    void aReadThatDoesNotBlockTellsNothingFromTheEnd() throws IOException {
        assertThat(pair.server().configureBlocking(false)).isSameAs(pair.server());
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isZero();
        pair.client().close();
        int read;
        do {
            read = pair.server().read(ByteBuffer.allocate(1));
        } while (read == 0);
        assertThat(read).isEqualTo(-1);
        assertThat(pair.server().read(ByteBuffer.allocate(0))).isZero();
    }

    @Test
    void buffersWithoutRoomOrBytesMoveNothing() throws IOException {
        assertThat(pair.server().read(ByteBuffer.allocate(0))).isZero();
        assertThat(pair.server().write(ByteBuffer.allocate(0))).isZero();
        assertThat(pair.server().read(new ByteBuffer[0])).isZero();
        assertThat(pair.server().write(new ByteBuffer[] {ByteBuffer.allocateDirect(0)}))
                .isZero();
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1).asReadOnlyBuffer()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pair.server().read(new ByteBuffer[1], 0, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void halfCloseEndsTheOtherSidesInputAndLeavesItsOutput() throws IOException {
        assertThat(pair.client().shutdownOutput()).isSameAs(pair.client());
        assertThat(pair.client().shutdownOutput().isOpen()).isTrue();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> pair.client().write(Pair.bytes("x")));
        assertThat(pair.server().write(Pair.bytes("still"))).isEqualTo(5);
        assertThat(Pair.read(pair.client(), 5)).isEqualTo("still");
    }

    @Test
    void anInputThatIsShutDownIsAtItsEnd() throws Exception {
        Await.Running<Integer> reader = Pair.blocked(() -> pair.client().read(ByteBuffer.allocate(1)));
        assertThat(pair.client().shutdownInput()).isSameAs(pair.client());
        assertThat(reader.result()).isEqualTo(-1);
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(pair.client().read(ByteBuffer.allocate(0))).isEqualTo(-1);
    }

    @Test
    void closingEndsAReadOfAnotherThread() throws Exception {
        Await.Running<Integer> reader = Pair.blocked(() -> pair.client().read(ByteBuffer.allocate(1)));
        pair.client().close();
        assertThat(reader.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void closingEndsAWriteOfAnotherThread() throws Exception {
        Await.Running<Integer> writer = Pair.blocked(() -> {
            while (true) {
                int written = pair.client().write(ByteBuffer.allocateDirect(1 << 20));
                assertThat(written).isNotNegative();
            }
        });
        pair.client().close();
        assertThat(writer.failure()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void closingEndsAnAcceptOfAnotherThread() throws Exception {
        Await.Running<SocketChannel> accepting =
                Pair.blocked(() -> pair.listener().accept());
        pair.listener().close();
        assertThat(accepting.failure()).isExactlyInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void anInterruptEndsAReadAndClosesTheChannel() throws Exception {
        Await.Running<Integer> reader = Pair.blocked(() -> pair.client().read(ByteBuffer.allocate(1)));
        reader.thread().interrupt();
        assertThat(reader.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(pair.client().isOpen()).isFalse();
    }

    @Test
    void anInterruptEndsAnAcceptAndClosesTheChannel() throws Exception {
        Await.Running<SocketChannel> accepting =
                Pair.blocked(() -> pair.listener().accept());
        accepting.thread().interrupt();
        assertThat(accepting.failure()).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(pair.listener().isOpen()).isFalse();
    }

    /** Programs that only loop over such calls end by an interrupt too. */
    @Test
    void anInterruptClosesTheChannelAlsoWhereThereIsNothingToDo() throws IOException {
        interrupted(() -> pair.client().write(ByteBuffer.allocate(0)));
        interrupted(() -> pair.client().read(ByteBuffer.allocate(0)));
        interrupted(() -> {
            assertThat(pair.client().shutdownInput()).isSameAs(pair.client());
            return pair.client().read(ByteBuffer.allocate(1));
        });
        interrupted(() -> {
            assertThat(pair.client().shutdownOutput()).isSameAs(pair.client());
            return pair.client().write(ByteBuffer.allocate(1));
        });
    }

    private interface Call {
        int call() throws IOException;
    }

    private void interrupted(Call call) throws IOException {
        Thread.currentThread().interrupt();
        assertThatThrownBy(call::call).isExactlyInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(pair.client().isOpen()).isFalse();
        pair.close();
        connect();
    }

    @Test
    void aThreadThatIsInterruptedAlreadyClosesTheChannelThatItReads() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(ClosedByInterruptException.class)
                .isThrownBy(() -> pair.client().read(ByteBuffer.allocate(1)));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(pair.client().isOpen()).isFalse();
    }

    @Test
    void aClosedChannelRefusesEverything() throws IOException {
        SocketChannel closed = pair.client();
        closed.close();
        closed.close();
        assertThat(closed.isConnected()).isFalse();
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> closed.read(ByteBuffer.allocate(1)));
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> closed.write(Pair.bytes("x")));
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(closed::getLocalAddress);
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(closed::getRemoteAddress);
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(closed::shutdownInput);
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(closed::finishConnect);
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> closed.bind(null));
        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> closed.connect(pair.listener().getLocalAddress()));
        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> closed.getOption(StandardSocketOptions.TCP_NODELAY));
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> closed.configureBlocking(false));
    }

    @Test
    void lingeringForNoTimeResetsTheConnection() throws IOException {
        assertThat(pair.client().setOption(StandardSocketOptions.SO_LINGER, 0)).isSameAs(pair.client());
        pair.client().close();
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("Connection reset");
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("Connection reset");
        assertThatThrownBy(() -> pair.server().write(Pair.bytes("x")))
                .isInstanceOf(IOException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void whereNobodyListensAConnectionIsRefusedAndTheChannelClosed() throws IOException {
        SocketAddress nobody = pair.listener().getLocalAddress();
        pair.listener().close();
        SocketChannel channel = provider.openSocketChannel();
        assertThatThrownBy(() -> channel.connect(nobody))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessage("Connection refused");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aChannelThatDoesNotBlockFinishesToConnectLater() throws IOException {
        try (SocketChannel channel = provider.openSocketChannel()) {
            assertThat(channel.configureBlocking(false).isBlocking()).isFalse();
            assertThatExceptionOfType(NoConnectionPendingException.class).isThrownBy(channel::finishConnect);
            if (!channel.connect(pair.listener().getLocalAddress())) {
                assertThat(channel.isConnectionPending()).isTrue();
                assertThatExceptionOfType(ConnectionPendingException.class)
                        .isThrownBy(() -> channel.connect(pair.listener().getLocalAddress()));
                while (!channel.finishConnect()) {
                    Thread.onSpinWait();
                }
            }
            assertThat(channel.isConnected()).isTrue();
            assertThat(channel.finishConnect()).isTrue();
            assertThatExceptionOfType(AlreadyConnectedException.class)
                    .isThrownBy(() -> channel.connect(pair.listener().getLocalAddress()));
        }
    }

    @Test
    void aChannelThatDoesNotBlockIsRefusedWhenItFinishes() throws IOException {
        SocketAddress nobody = pair.listener().getLocalAddress();
        pair.listener().close();
        SocketChannel channel = provider.openSocketChannel();
        assertThat(channel.configureBlocking(false)).isSameAs(channel);
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> {
                    boolean connected = channel.connect(nobody);
                    while (!connected) {
                        connected = channel.finishConnect();
                    }
                })
                .withMessage("Connection refused");
        assertThat(channel.isOpen()).isFalse();
    }
}
