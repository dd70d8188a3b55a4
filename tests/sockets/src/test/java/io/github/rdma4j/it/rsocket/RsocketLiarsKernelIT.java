// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.Message;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that break the rules of rsockets: their connection ends with the reason, and the listener serves the next client. */
@RequiresKernel
@SuppressWarnings("NullAway.Init")
class RsocketLiarsKernelIT {
    private static final int VERSION = 0;
    private static final int CREDITS = 2;
    private static final int LIST_ADDRESS = 8;
    private static final int LIST_LENGTH = 20;
    private static final int BUFFER_ADDRESS = 24;
    private static final int BUFFER_LENGTH = 36;

    @AutoClose
    private RsocketListener listener;

    /** What a peer tells of itself when it connects. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions keep nothing
    enum Tale {
        NOTHING(0),
        TOO_LITTLE(BUFFER_LENGTH),
        ANOTHER_VERSION(VERSION, 1, 2),
        NO_CREDITS(CREDITS, 2, 0),
        NO_LIST(LIST_LENGTH, 4, 0),
        A_LIST_BEHIND_THE_END(LIST_ADDRESS, 8, 0xff),
        NO_BUFFER(BUFFER_LENGTH, 4, 0),
        A_BUFFER_BEHIND_THE_END(BUFFER_ADDRESS, 8, 0xff);

        private final int kept;
        private final int at;
        private final int length;
        private final int value;

        /** The truth, cut off. */
        Tale(int kept) {
            this.kept = kept;
            this.at = 0;
            this.length = 0;
            this.value = 0;
        }

        /** The truth, with other bytes in one place. */
        Tale(int at, int length, int value) {
            this.kept = ConnData.BYTES;
            this.at = at;
            this.length = length;
            this.value = value;
        }

        byte[] tell(byte[] truth) {
            byte[] told = Arrays.copyOf(truth, kept);
            Arrays.fill(told, at, at + length, (byte) value);
            return told;
        }
    }

    @BeforeEach
    void listen() throws Exception {
        listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0));
    }

    private void assertServesTheNext() throws Exception {
        try (RsocketChannel client = RsocketChannel.connect(listener.localAddress());
                RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow()) {
            client.write(ByteBuffer.wrap(new byte[] {7}));
            ByteBuffer read = ByteBuffer.allocate(1);
            assertThat(server.read(read)).isEqualTo(1);
            assertThat(read.get(0)).isEqualTo((byte) 7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatTellsWrongThingsOfItselfIsRefused(Tale tale) throws Exception {
        try (LyingPeer liar = LyingPeer.ask(listener.localAddress(), tale::tell)) {
            assertThat(liar.fate()).isEqualTo(CmEventType.REJECTED);
            assertServesTheNext();
        }
        assertThat(listener.accept(Duration.ZERO)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatTellsWrongThingsOfItselfIsLeft(Tale tale) throws Exception {
        try (EventChannel channel = EventChannel.open();
                CmId id = Loopback.listen(channel, Rxe.IPV4)) {
            InetSocketAddress to = id.localAddress().orElseThrow();
            Await.Running<RsocketChannel> connecting = Await.inThread(() -> RsocketChannel.connect(to));
            LyingPeer liar = LyingPeer.accept(channel, tale::tell);
            assertThat(connecting.failure())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("it is no rsocket, or it is broken");
            liar.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 70000, 8192, more bytes than offered",
        "0, 5, 4, fewer bytes than said",
        "0, 4, 5, more bytes than said",
        "3, 1, 0, an operation that does not exist",
        "5, 1, 0, an operation that does not exist",
        "4, 1000, 0, credits beyond all receives",
        "4, 32, 5, a part of an entry",
        "6, 1, 24, a window where there is no room",
        "6, 0, 5, a part of a window",
        "7, 3, 0, a control message that does not exist"
    })
    void aMessageThatContradictsTheProtocolEndsTheConnection(int operation, int number, int bytes, String what)
            throws Exception {
        try (LyingPeer liar = LyingPeer.connect(listener.localAddress())) {
            RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow();
            liar.say(operation, number, bytes);
            assertThatThrownBy(() -> server.read(ByteBuffer.allocate(1)))
                    .as(what)
                    .isInstanceOf(SocketException.class)
                    .hasMessageStartingWith("Connection reset")
                    .hasMessageContaining("contradicts the protocol");
            assertThatThrownBy(() -> server.write(ByteBuffer.allocate(1))).isInstanceOf(SocketException.class);
            server.close();
            assertThat(liar.fate()).isEqualTo(CmEventType.DISCONNECTED);
            assertServesTheNext();
        }
    }

    @Test
    void aMessageByOtherMeansEndsTheConnection() throws Exception {
        try (LyingPeer liar = LyingPeer.connect(listener.localAddress());
                RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow()) {
            liar.send();
            assertThatThrownBy(() -> server.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("it is no rsocket");
        }
        assertServesTheNext();
    }

    @Test
    void aWriteOutsideOfTheMemoryEndsTheConnection() throws Exception {
        try (LyingPeer liar = LyingPeer.connect(listener.localAddress());
                RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow()) {
            liar.writeBeside(10);
            assertThatThrownBy(() -> server.read(ByteBuffer.allocate(1), Duration.ofSeconds(30)))
                    .isInstanceOf(SocketException.class);
        }
        assertServesTheNext();
    }

    @Test
    void aPeerThatDiesWithoutAWordResetsTheConnection() throws Exception {
        LyingPeer liar = LyingPeer.connect(listener.localAddress());
        try (RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow()) {
            liar.say(Message.DATA, 3, 3);
            liar.close();
            assertThat(server.read(ByteBuffer.allocate(9))).isEqualTo(3);
            assertThatThrownBy(() -> server.read(ByteBuffer.allocate(9)))
                    .isInstanceOf(SocketException.class)
                    .hasMessageStartingWith("Connection reset");
        }
    }
}
