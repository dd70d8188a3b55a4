// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static io.github.rdma4j.internal.rsocket.wire.StreamEngine.UNKNOWN_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.NewSeed;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Peers that break the rules are refused with the message that broke them. */
class LiarTest {
    private static final Setup SETUP =
            Setup.USUAL.buffers(128, 256).queues(16, 16).windows(2);

    private static void refuses(Recorder recorder, int operation, int number, int bytes) {
        int message = Message.of(operation, number);
        assertThatThrownBy(() -> recorder.engine.received(message, bytes))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining(Message.toString(message))
                .hasMessageContaining("contradicts the protocol");
    }

    private static void data(Recorder recorder, int bytes) throws RdmaException {
        recorder.engine.received(Message.of(Message.DATA, bytes), bytes);
    }

    @Test
    void moreBytesThanOffered() throws RdmaException {
        refuses(Recorder.connected(SETUP), Message.DATA, 65, 65);
        refuses(Recorder.connected(SETUP), Message.DATA, Message.MAX_NUMBER, UNKNOWN_LENGTH);
        Recorder recorder = Recorder.connected(SETUP);
        data(recorder, 60);
        refuses(recorder, Message.DATA, 5, 5);
        data(recorder, 4);
        data(recorder, 64);
        assertThat(recorder.engine.available()).isEqualTo(128);
        refuses(recorder, Message.DATA, 1, 1);
    }

    @Test
    void anotherNumberThanTheBytesWritten() throws RdmaException {
        refuses(Recorder.connected(SETUP), Message.DATA, 5, 4);
        refuses(Recorder.connected(SETUP), Message.DATA, 5, 0);
        refuses(Recorder.connected(SETUP), Message.DATA_MORE, 4, 5);
    }

    @Test
    void dataWithoutACredit() throws RdmaException {
        Recorder recorder = Recorder.connected(SETUP);
        // 16 bits count them: the last credit is the 70,000th.
        for (int i = 0; i < 70_000; i++) {
            if (i == 70_000 - 16) {
                recorder.engine.proceed();
            } else if (i % 8 == 0 && i < 70_000 - 16) {
                recorder.engine.proceed();
                recorder.engine.sent(recorder.last);
            }
            data(recorder, 0);
        }
        refuses(recorder, Message.DATA, 1, 1);
        recorder.engine.proceed();
        data(recorder, 1);
        assertThat(recorder.engine.available()).isEqualTo(1);
    }

    @Test
    void dataAfterTheEnd() throws RdmaException {
        for (int end : new int[] {Message.SHUTDOWN, Message.DISCONNECT}) {
            Recorder recorder = Recorder.connected(SETUP);
            data(recorder, 3);
            recorder.engine.received(Message.of(Message.CTRL, end), 0);
            refuses(recorder, Message.DATA, 1, 1);
            assertThat(recorder.engine.read(ByteBuffer.allocate(9))).isEqualTo(3);
            assertThat(recorder.engine.atEnd()).isTrue();
        }
    }

    @Test
    void messagesBeforeTheConnectionIsMade() {
        refuses(new Recorder(SETUP), Message.DATA, 1, 1);
        refuses(new Recorder(SETUP), Message.SGL, 16, 0);
        refuses(new Recorder(SETUP), Message.CTRL, Message.DISCONNECT, 0);
    }

    @Test
    void operationsThatDoNotExist() throws RdmaException {
        refuses(Recorder.connected(SETUP), 3, 1, 1);
        refuses(Recorder.connected(SETUP), 5, 1, 1);
        refuses(Recorder.connected(SETUP), Message.CTRL, 3, 0);
        refuses(Recorder.connected(SETUP), Message.CTRL, Message.MAX_NUMBER, 0);
    }

    @Test
    void oldOperationsAreTaken() throws RdmaException {
        Recorder recorder = Recorder.connected(SETUP);
        recorder.engine.received(Message.of(Message.DATA_MORE, 5), 5);
        recorder.engine.received(Message.of(Message.WRITE, 99), 99);
        assertThat(recorder.engine.available()).isEqualTo(5);
    }

    @Test
    void creditsTooFarAhead() throws RdmaException {
        refuses(Recorder.connected(SETUP), Message.SGL, 385, 0);
        refuses(Recorder.connected(SETUP), Message.SGL, 384 + 32_767, 0);
        Recorder recorder = Recorder.connected(SETUP);
        recorder.engine.write(ByteBuffer.allocate(1));
        recorder.engine.received(Message.of(Message.SGL, 385), 0);
        refuses(recorder, Message.SGL, 386, 0);
    }

    @Test
    void creditsThatGoBackAreOld() throws RdmaException {
        Recorder recorder = Recorder.connected(SETUP);
        for (int count : new int[] {384, 383, 1, 0, 0xffff, 0xc000, 384}) {
            recorder.engine.received(Message.of(Message.SGL, count), 0);
            assertThat(recorder.engine).asString().contains("credits 384");
        }
    }

    @Test
    void anEntryOfAnotherLength() throws RdmaException {
        for (int bytes : new int[] {1, 8, 15, 17, 24, 32}) {
            refuses(Recorder.connected(SETUP), Message.SGL, 384, bytes);
        }
    }

    @Test
    void moreThanTwoEntries() throws RdmaException {
        Recorder recorder = Recorder.connected(SETUP);
        recorder.offer(1, 0x1000, 1, 64, 384);
        refuses(recorder, Message.SGL, 384, StreamMemory.ENTRY);
        // With iWARP an entry is known by its length.
        recorder = Recorder.connected(SETUP.iwarp());
        recorder.entry(1, 0x1000, 1, 64);
        recorder.engine.received(Message.of(Message.SGL, 384), UNKNOWN_LENGTH);
        recorder.engine.received(Message.of(Message.SGL, 384), UNKNOWN_LENGTH);
        recorder.entry(0, 0x1000, 1, 64);
        refuses(recorder, Message.SGL, 384, UNKNOWN_LENGTH);
    }

    @Test
    void entriesWithoutBytesGiveNoSpace() throws RdmaException {
        Recorder recorder = new Recorder(SETUP);
        recorder.engine.connected(ConnData.local(384, 0, Recorder.LIST, new ConnData.Area(0x1000, 1, 4)));
        recorder.offer(1, 0x2000, 1, 0, 384);
        recorder.take();
        assertThat(recorder.engine.write(ByteBuffer.allocate(9))).isEqualTo(4);
        assertThat(recorder.engine.maySend()).isFalse();
        recorder.offer(0, 0x3000, 1, 0, 384);
        recorder.offer(1, 0x4000, 1, 0, 384);
        assertThat(recorder.engine.maySend()).isFalse();
        recorder.offer(0, 0x5000, 1, -1, 384);
        assertThat(recorder.engine.write(ByteBuffer.allocate(1))).isEqualTo(1);
        assertThat(recorder.take()).containsExactly("00000004 to 1000/1: 00 00 00 00", "00000001 to 5000/1: 00");
    }

    @Test
    void anEntryIsReadOnce() throws RdmaException {
        Recorder recorder = new Recorder(SETUP);
        recorder.engine.connected(ConnData.local(384, 0, Recorder.LIST, new ConnData.Area(0x1000, 1, 1)));
        recorder.offer(1, 0x2000, 2, 2, 384);
        recorder.entry(1, 0x6666, 6, 66);
        recorder.take();
        assertThat(recorder.engine.write(ByteBuffer.allocate(9))).isEqualTo(3);
        assertThat(recorder.take()).containsExactly("00000001 to 1000/1: 00", "00000002 to 2000/2: 00 00");
    }

    @Test
    void windowsOutsideTheTable() throws RdmaException {
        refuses(Recorder.connected(SETUP), Message.IOMAP, 2, StreamMemory.IOMAP);
        refuses(Recorder.connected(SETUP), Message.IOMAP, Message.MAX_NUMBER, StreamMemory.IOMAP);
        refuses(Recorder.connected(SETUP.windows(0)), Message.IOMAP, 0, StreamMemory.IOMAP);
        refuses(Recorder.connected(SETUP), Message.IOMAP, 0, StreamMemory.ENTRY);
        Recorder recorder = Recorder.connected(SETUP);
        recorder.engine.received(Message.of(Message.IOMAP, 1), StreamMemory.IOMAP);
        assertThat(recorder.engine.windowAt(0)).as("a window of zeros").isZero();
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void anyMessagesAreTakenOrRefused(long seed) throws RdmaException {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 3_000; i++) {
            Setup setup = random.nextBoolean() ? SETUP : SETUP.iwarp();
            Recorder recorder = Recorder.connected(setup);
            byte[] before = memoryOf(recorder, random);
            try {
                for (int n = 0; n < 100; n++) {
                    anything(recorder, random, setup.messagesAreSent());
                }
            } catch (RdmaException e) {
                refused++;
            }
            assertThat(recorder.memory.remote().array()).isEqualTo(expected(before, recorder));
        }
        assertThat(refused).isPositive();
    }

    private static void anything(Recorder recorder, Random random, boolean sent) throws RdmaException {
        int number = random.nextInt(3) > 0 ? random.nextInt(70) : random.nextInt();
        int operation = random.nextInt(20) > 0 ? 2 * random.nextInt(4) : random.nextInt(8);
        boolean ends = operation == Message.CTRL && random.nextInt(8) > 0;
        int message = ends ? Message.of(Message.SGL, 384 + number) : Message.of(operation, number);
        int fitting = operation == Message.SGL ? 16 : operation == Message.IOMAP ? 24 : Message.number(message);
        int bytes = sent ? UNKNOWN_LENGTH : random.nextInt(8) > 0 ? fitting : random.nextInt(40);
        recorder.engine.received(message, bytes);
        recorder.engine.read(ByteBuffer.allocate(random.nextInt(40)));
        recorder.engine.write(ByteBuffer.allocate(random.nextInt(40)));
        recorder.engine.writeAt(random.nextInt(4), ByteBuffer.allocate(random.nextInt(40)));
        recorder.engine.sent(recorder.last);
        recorder.engine.proceed();
    }

    private static byte[] memoryOf(Recorder recorder, Random random) {
        random.nextBytes(recorder.memory.remote().array());
        return recorder.memory.remote().array().clone();
    }

    /** The engine writes nothing but the lengths of entries that it took, where they tell of the next. */
    private static byte[] expected(byte[] before, Recorder recorder) {
        ByteBuffer memory =
                ByteBuffer.wrap(before).order(recorder.memory.remote().order());
        for (int slot = 0; slot < StreamMemory.ENTRIES; slot++) {
            int at = slot * StreamMemory.ENTRY + 12;
            if (recorder.memory.remote().getInt(at) == 0) {
                memory.putInt(at, 0);
            }
        }
        return before;
    }
}
