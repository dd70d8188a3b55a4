// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.ref.WeakReference;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of the wire, and messages that break its rules. */
class GoldenMessagesTest {
    private static final Hello OWN = new Hello(16, 4096);

    private final Side side = new Side(OWN, 8192);
    private final ByteBuf receive = Unpooled.buffer(4096);

    @AfterEach
    void free() {
        side.free();
    }

    private void connect() {
        side.engine.connected(new Hello(20, 1024));
    }

    /** The bytes of the next message, but for those of a buffer. */
    private String next() {
        Side.Flight flight = Objects.requireNonNull(side.flights.poll());
        return ByteBufUtil.hexDump(flight.memory(), flight.offset(), flight.length());
    }

    private void receive(int slot, String bytes) throws RdmaException {
        byte[] message = HexFormat.of().parseHex(bytes);
        receive.setBytes(0, message);
        side.engine.received(receive, slot, message.length);
    }

    // Private data.

    @Test
    void thePrivateDataBeginsWithLettersAndTheVersion() throws RdmaException {
        byte[] data = OWN.encode();
        assertThat(HexFormat.of().formatHex(data)).isEqualTo("52344a01" + "00000000" + "00000010" + "00001000");
        byte[] padded = java.util.Arrays.copyOf(data, 56);
        assertThat(Hello.isOffered(padded)).isTrue();
        assertThat(Hello.decode(padded)).isEqualTo(OWN);
    }

    @Test
    void aRejectionSaysThatTheBacklogIsFull() {
        byte[] data = Hello.backlogIsFull();
        assertThat(HexFormat.of().formatHex(data)).isEqualTo("52344a01" + "00000001" + "00000000" + "00000000");
        assertThat(Hello.isBacklogFull(java.util.Arrays.copyOf(data, 148))).isTrue();
        assertThat(Hello.isBacklogFull(OWN.encode())).isFalse();
        assertThat(Hello.isBacklogFull(new byte[0])).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "52344a01",
                "52344a0200000000000000100000100000",
                "0100001052344a010000000000000000",
                "52344a01000000000000000f00001000",
                "52344a01000000000001000000001000",
                "52344a01000000000000001000000100ff00",
                "52344a010000000000000010000000ff",
                "52344a01000000000000001001000001",
                "52344a0100000000ffffffff00001000"
            })
    void otherPrivateDataIsRefused(String data) {
        byte[] bytes = HexFormat.of().parseHex(data);
        if (data.endsWith("ff00")) {
            // Only bytes after the end are not looked at.
            assertThat(Hello.isOffered(bytes)).isTrue();
            return;
        }
        assertThatThrownBy(() -> Hello.decode(bytes))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("the peer");
    }

    // Messages.

    @Test
    void dataFollowsTheHeader() throws RdmaException {
        connect();
        ByteBuf message = Unpooled.copiedBuffer(new byte[] {9, 8, 7, 6});
        assertThat(side.engine.write(message, 1, 3)).isEqualTo(3);
        side.engine.flushOpen();
        assertThat(next()).isEqualTo("01000000" + "00000003" + "0000000000000010" + "080706");
    }

    /** As much waits as a socket would take, though nobody acknowledges. */
    @Test
    void shortMessagesOnTheirWayTakeNoRoomFromOthers() throws RdmaException {
        connect();
        int length = 100;
        ByteBuf message = Unpooled.buffer(length).writeZero(length);
        int taken = 0;
        int bytes = length;
        while (bytes == length) {
            bytes = side.engine.write(message, 0, length);
            side.engine.flushOpen();
            taken += bytes;
        }
        assertThat(side.flights).hasSizeGreaterThan(10);
        assertThat(taken).isBetween(8192 - 1024, 8192 + 1024);
    }

    @Test
    void smallBuffersAreJoined() throws RdmaException {
        connect();
        side.engine.write(Unpooled.copiedBuffer(new byte[] {1, 2}), 0, 2);
        side.engine.write(Unpooled.copiedBuffer(new byte[] {3}), 0, 1);
        side.engine.flushOpen();
        assertThat(next()).isEqualTo("01000000" + "00000003" + "0000000000000010" + "010203");
        assertThat(side.flights).isEmpty();
    }

    @Test
    void aRegisteredBufferLeavesFromWhereItIs() throws RdmaException {
        connect();
        ByteBuf large = Unpooled.directBuffer(3000, 3000).writeZero(3000);
        assertThat(side.engine.write(large, 0, 3000)).isEqualTo(3000);
        side.engine.flushOpen();
        assertThat(side.engine.copied()).isZero();
        int[] lengths = {1008, 1008, 984};
        long last = 0;
        for (int length : lengths) {
            Side.Flight flight = Objects.requireNonNull(side.flights.poll());
            assertThat(flight.source()).isSameAs(large);
            assertThat(flight.bytes()).isEqualTo(length);
            assertThat(flight.signaled()).isEqualTo(length == 984);
            last = flight.number();
        }
        assertThat(large.refCnt()).isGreaterThan(1);
        side.engine.sent(last);
        assertThat(side.engine.copied()).isEqualTo(3000);
        assertThat(large.release()).isTrue();
    }

    @Test
    void aQuarterOfTheReceivesIsGrantedInOneMessage() throws RdmaException {
        connect();
        for (int i = 0; i < 4; i++) {
            receive(i, "01000000" + "00000001" + "0000000000000014" + "2a");
        }
        ByteBuf into = Unpooled.buffer(3, 3);
        assertThat(side.engine.read(into, 9)).isEqualTo(3);
        side.engine.proceed();
        assertThat(side.flights).isEmpty();
        side.engine.read(into.clear(), 9);
        side.engine.proceed();
        assertThat(next()).isEqualTo("02000000" + "00000000" + "0000000000000014");
    }

    @Test
    void aLargeMessageIsNotJoinedToTheOneBefore() throws RdmaException {
        connect();
        ByteBuf second = Unpooled.buffer(Header.BYTES + 3);
        Header.put(second, 0, Header.DATA, 3, 0x14);
        receive(0, "01000000" + "00000001" + "0000000000000014" + "2a");
        side.engine.received(second, 1, second.capacity());
        assertThat(side.engine.read(Unpooled.buffer(), 2)).isEqualTo(1);
        assertThat(side.engine.read(Unpooled.buffer(), 2)).isEqualTo(3);
    }

    private WeakReference<ByteBuf> readOneFromABufferOfItsOwn() throws RdmaException {
        ByteBuf message = Unpooled.buffer(Header.BYTES + 3);
        Header.put(message, 0, Header.DATA, 3, 0x14);
        side.engine.received(message, 0, Header.BYTES + 3);
        assertThat(side.engine.read(Unpooled.buffer(), 9)).isEqualTo(3);
        return new WeakReference<>(message);
    }

    @Test
    @SuppressWarnings("DoNotCall") // the collector, on purpose
    void aBufferThatWasReadIsNotKept() throws RdmaException {
        connect();
        WeakReference<ByteBuf> read = readOneFromABufferOfItsOwn();
        Await.until("collected", () -> {
            System.gc();
            return read.get() == null;
        });
    }

    @Test
    void theEndsHaveTypes3And4() throws RdmaException {
        connect();
        side.engine.shutdownOutput();
        assertThat(next()).isEqualTo("03000000" + "00000000" + "0000000000000010");
        side.engine.disconnect();
        assertThat(next()).isEqualTo("04000000" + "00000000" + "0000000000000010");
        assertThat(side.engine.isDrained()).isFalse();
        side.engine.sent(2);
        assertThat(side.engine.isDrained()).isTrue();
    }

    @Test
    void nothingIsSaidAfterBothEnds() throws RdmaException {
        connect();
        side.engine.shutdownOutput();
        assertThat(next()).startsWith("03");
        receive(0, "03000000" + "00000000" + "0000000000000014");
        side.engine.disconnect();
        assertThat(side.flights).isEmpty();
        assertThat(side.engine.isDrained()).isFalse();
        side.engine.sent(1);
        assertThat(side.engine.isDrained()).isTrue();
    }

    private void writeOne(int value) throws RdmaException {
        assertThat(side.engine.write(Unpooled.copiedBuffer(new byte[] {(byte) value}), 0, 1))
                .isEqualTo(1);
        side.engine.flushOpen();
    }

    @Test
    void dataLeavesFourReceivesForOtherMessagesAndTheRestWaitsInOneMessage() throws RdmaException {
        connect();
        for (int i = 0; i < 20; i++) {
            writeOne(i);
        }
        assertThat(side.flights).hasSize(16);
        assertThat(side.engine.copied()).isEqualTo(20);
        side.flights.clear();
        receive(0, "02000000" + "00000000" + "0000000000000015");
        side.engine.proceed();
        assertThat(next()).isEqualTo("01000000" + "00000004" + "0000000000000011" + "10111213");
        assertThat(side.flights).isEmpty();
    }

    @Test
    void theEndComesAfterWhatWaits() throws RdmaException {
        connect();
        for (int i = 0; i < 17; i++) {
            writeOne(i);
        }
        side.flights.clear();
        side.engine.disconnect();
        assertThat(side.flights).isEmpty();
        side.engine.sent(16);
        assertThat(side.engine.isDrained()).isFalse();
        receive(0, "02000000" + "00000000" + "0000000000000015");
        side.engine.proceed();
        assertThat(next()).startsWith("01000000" + "00000001").endsWith("10");
        assertThat(next()).startsWith("04000000");
        side.engine.sent(18);
        assertThat(side.engine.isDrained()).isTrue();
    }

    @Test
    void asManyBytesAsTheSendBufferHasAreTakenThoughNobodyReads() throws RdmaException {
        connect();
        ByteBuf message = Unpooled.buffer(100).writeZero(100);
        int taken = 0;
        for (int bytes = 100; bytes == 100; taken += bytes) {
            bytes = side.engine.write(message, 0, 100);
            side.engine.flushOpen();
            side.flights.stream().filter(Side.Flight::signaled).forEach(sent -> side.engine.sent(sent.number()));
        }
        assertThat(taken).isEqualTo(16 * 100 + 8 * (1024 - Header.BYTES));
        assertThat(side.engine.maySend()).isFalse();
        assertThat(side.engine.written()).isEqualTo(taken);
    }

    @Test
    void buffersThatWaitWhereTheyAreAreReleasedWithTheEngine() throws RdmaException {
        connect();
        for (int i = 0; i < 16; i++) {
            writeOne(i);
        }
        ByteBuf large = Unpooled.directBuffer(3000, 3000).writeZero(3000);
        assertThat(side.engine.write(large, 0, 3000)).isEqualTo(3000);
        side.engine.flushOpen();
        assertThat(side.engine.copied()).isEqualTo(16);
        assertThat(large.refCnt()).isGreaterThan(1);
        side.engine.release();
        assertThat(large.release()).isTrue();
    }

    // The device of the peer.

    @Test
    void aPeerWithoutReceivesIsAskedAllTheSame() throws RdmaException {
        connect();
        for (int i = 0; i < 20; i++) {
            writeOne(i);
        }
        side.engine.sent(16);
        side.flights.clear();
        for (int period = 1; period <= 4; period++) {
            side.engine.keepAlive();
            Side.Flight asks = Objects.requireNonNull(side.flights.poll());
            assertThat(asks.length()).isZero();
            assertThat(asks.signaled()).isTrue();
            assertThat(side.engine.isAnswered()).isFalse();
            side.engine.sent(asks.number());
            assertThat(side.engine.isAnswered()).isTrue();
        }
    }

    @Test
    void aFullSendQueueIsTheQuestion() throws RdmaException {
        connect();
        for (int i = 0; i < Side.SLOTS; i++) {
            side.engine.keepAlive();
        }
        side.engine.keepAlive();
        assertThat(side.flights).hasSize(Side.SLOTS);
        assertThat(side.engine.isAnswered()).isFalse();
        side.engine.sent(Side.SLOTS);
        assertThat(side.engine.isAnswered()).isTrue();
    }

    @Test
    void aSideThatMustNotSpeakFirstWaitsForThePeersWordAsAnAnswer() throws RdmaException {
        side.engine.letPeerSpeakFirst();
        connect();
        side.engine.keepAlive();
        assertThat(side.flights).isEmpty();
        assertThat(side.engine.isAnswered()).isFalse();
        receive(0, "02000000" + "00000000" + "0000000000000014");
        assertThat(side.engine.isAnswered()).isTrue();
    }

    @Test
    void aSideThatMustNotSpeakFirstIsSilent() throws RdmaException {
        side.engine.letPeerSpeakFirst();
        connect();
        writeOne(5);
        side.engine.shutdownOutput();
        assertThat(side.flights).isEmpty();
        receive(0, "02000000" + "00000000" + "0000000000000014");
        side.engine.proceed();
        assertThat(next()).startsWith("01").endsWith("05");
        assertThat(next()).startsWith("03");
    }

    @Test
    void aSideThatMustSpeakFirstGrants() throws RdmaException {
        connect();
        side.engine.speakFirst();
        assertThat(next()).isEqualTo("02000000" + "00000000" + "0000000000000010");
    }

    // Lies.

    @ParameterizedTest
    @CsvSource({
        "a short header, 01000000000000010000000000000014, 15",
        "no type, 00000000000000010000000000000014ff, 17",
        "an unknown type, 05000000000000000000000000000014, 16",
        "a flag, 01010000000000010000000000000014ff, 17",
        "a bit for later, 01000001000000010000000000000014ff, 17",
        "a length that is too large, 01000000000000020000000000000014ff, 17",
        "a length that is too small, 010000000000000000000000000000014ff0, 17",
        "a negative length, 01000000ffffffff0000000000000014ff, 17",
        "data without bytes, 01000000000000000000000000000014, 16",
        "a grant with bytes, 02000000000000010000000000000014ff, 17",
        "an end with bytes, 03000000000000010000000000000014ff, 17",
        "a grant that goes back, 02000000000000000000000000000013, 16",
        "a grant of more than the receives, 02000000000000000000000000000015, 16",
        "a negative grant, 0200000000000000ffffffffffffffff, 16",
        "a grant of 2^63 - 1, 02000000000000007fffffffffffffff, 16"
    })
    void aLieIsRefused(String what, String message, int bytes) {
        connect();
        receive.setBytes(0, HexFormat.of().parseHex(message));
        assertThatThrownBy(() -> side.engine.received(receive, 0, bytes))
                .as(what)
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("the peer sent");
        assertThat(side.engine.available()).isZero();
    }

    @Test
    void moreMessagesThanGrantedAreRefused() throws RdmaException {
        connect();
        for (int i = 0; i < 16; i++) {
            receive(i, "02000000" + "00000000" + "0000000000000014");
        }
        assertThatThrownBy(() -> receive(0, "02000000" + "00000000" + "0000000000000014"))
                .hasMessageContaining("message 17")
                .hasMessageContaining("granted 16");
    }

    @Test
    void dataAfterTheEndIsRefused() throws RdmaException {
        connect();
        receive(0, "01000000" + "00000001" + "0000000000000014" + "2a");
        receive(1, "03000000" + "00000000" + "0000000000000014");
        assertThatThrownBy(() -> receive(2, "01000000" + "00000001" + "0000000000000014" + "2a"))
                .hasMessageContaining("after the end");
        assertThat(side.engine.atEnd()).isFalse();
        assertThat(side.engine.read(Unpooled.buffer(), 9)).isEqualTo(1);
        assertThat(side.engine.atEnd()).isTrue();
    }
}
