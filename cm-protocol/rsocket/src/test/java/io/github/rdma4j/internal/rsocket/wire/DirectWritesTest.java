// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.rsocket.wire.ConnData.Area;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.NewSeed;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Memory that one side maps, and the other writes. */
class DirectWritesTest {
    private static final long ADDRESS = 0x5000_0000L;

    private static EngineSide[] pair(Setup one, Setup other) throws RdmaException {
        EngineSide[] sides = {new EngineSide(one), new EngineSide(other)};
        Side.connect(sides[0], sides[1]);
        return sides;
    }

    private static void settle(Side... sides) throws RdmaException {
        boolean moves = true;
        for (int turns = 0; moves; turns++) {
            Side.check(turns < 100_000, "the sides come to rest");
            moves = false;
            for (Side side : sides) {
                moves |= side.deliver();
                moves |= side.poll(9);
                moves |= side.acknowledge(9);
            }
        }
    }

    /** Maps fresh memory under a key of its own. */
    private static ByteBuffer map(Side side, long offset, int key, int bytes) throws RdmaException {
        ByteBuffer memory = ByteBuffer.allocate(bytes);
        side.register(key, ADDRESS, memory);
        assertThat(side.map(offset, new Area(ADDRESS, key, bytes))).isNotNegative();
        return memory;
    }

    private static ByteBuffer bytes(int count, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put(i, (byte) value);
        }
        return bytes;
    }

    @Test
    void aWriteReachesTheMemoryAndTheStreamDoesNotNotice() throws RdmaException {
        EngineSide[] sides = pair(Setup.USUAL, Setup.USUAL.windows(2));
        ByteBuffer memory = map(sides[0], 100, 7, 50);
        settle(sides);
        assertThat(sides[1].engine.windowAt(100)).isEqualTo(50);
        assertThat(sides[1].engine.windowAt(149)).isEqualTo(1);
        assertThat(sides[1].engine.windowAt(150)).isZero();
        assertThat(sides[1].engine.windowAt(99)).isZero();
        assertThat(sides[1].engine.windowAt(Long.MIN_VALUE)).isZero();
        assertThat(sides[1].engine.writeAt(120, bytes(10, 3))).isEqualTo(10);
        settle(sides);
        assertThat(memory.slice(20, 10)).isEqualTo(bytes(10, 3));
        assertThat(memory.get(19)).isZero();
        assertThat(memory.get(30)).isZero();
        assertThat(sides[0].engine.available()).isZero();
    }

    @Test
    void thePeerIsToldBeforeTheDataThatFollow() throws RdmaException {
        Recorder recorder = new Recorder(Setup.USUAL);
        recorder.engine.connected(Recorder.peer(9, 4)); // one credit of these may be used
        recorder.take();
        recorder.engine.map(0, new Area(0x1000, 1, 10));
        recorder.engine.map(10, new Area(0x2000, 2, 10));
        assertThat(recorder.engine.write(bytes(5, 1))).isEqualTo(5);
        assertThat(recorder.take()).hasSize(3).element(2).asString().startsWith("00000005");
        recorder.engine.write(bytes(1, 1));
        recorder.engine.write(bytes(1, 1));
        recorder.engine.write(bytes(1, 1));
        recorder.engine.write(bytes(1, 1));
        recorder.engine.write(bytes(1, 1));
        recorder.engine.write(bytes(1, 1));
        recorder.take();
        recorder.engine.map(20, new Area(0x3000, 3, 10));
        assertThat(recorder.engine.maySend()).as("no credit is left").isFalse();
        assertThat(recorder.engine.write(bytes(5, 1))).isZero();
        assertThat(recorder.engine.writeAt(0, bytes(5, 1))).isZero();
        recorder.engine.received(Message.of(Message.SGL, 18), 0);
        assertThat(recorder.engine.write(bytes(5, 1))).isEqualTo(5);
        assertThat(recorder.take()).hasSize(2).element(0).asString().startsWith("c0000002");
    }

    /** An engine with 14 bytes at the end of its send buffer, and 10 bytes before them in use by a write without a signal. */
    private static Recorder nearTheEnd() throws RdmaException {
        Recorder recorder = Recorder.connected(Setup.USUAL.buffers(64, 64));
        assertThat(recorder.engine.write(bytes(40, 1))).isEqualTo(40);
        return recorder;
    }

    @Test
    void aWindowThatDoesNotFitAtTheEndOfTheSendBufferGoesToItsBegin() throws RdmaException {
        Recorder recorder = nearTheEnd();
        long signaled = recorder.last;
        recorder.engine.write(bytes(10, 1));
        recorder.engine.sent(signaled);
        recorder.take();
        recorder.engine.map(0, new Area(0x1000, 1, 10));
        assertThat(recorder.take()).singleElement().asString().startsWith("c0000000");
        assertThat(recorder.engine.write(bytes(10, 1))).isEqualTo(10);
    }

    @Test
    void dataWaitForAWindowThatHasNoRoomYet() throws RdmaException {
        Recorder recorder = nearTheEnd();
        long signaled = recorder.last;
        recorder.engine.write(bytes(10, 1));
        recorder.take();
        recorder.engine.map(0, new Area(0x1000, 1, 10));
        assertThat(recorder.engine.maySend()).isFalse();
        assertThat(recorder.engine.write(bytes(10, 1))).isZero();
        assertThat(recorder.take()).isEmpty();
        recorder.engine.sent(signaled);
        assertThat(recorder.engine.write(bytes(10, 1))).isEqualTo(10);
        assertThat(recorder.take()).hasSize(2).element(0).asString().startsWith("c0000000");
    }

    @Test
    void aPlaceIsFreedAndUsedAgain() throws RdmaException {
        EngineSide[] sides = pair(Setup.USUAL, Setup.USUAL.windows(2));
        map(sides[0], 0, 7, 10);
        map(sides[0], 10, 8, 10);
        assertThat(sides[0].map(20, new Area(0, 0, 1))).as("full").isEqualTo(-1);
        assertThat(sides[1].map(20, new Area(0, 0, 1))).as("no table").isEqualTo(-1);
        settle(sides);
        sides[0].engine.unmap(0);
        assertThat(sides[1].engine.windowAt(0)).as("the peer is not told").isEqualTo(10);
        ByteBuffer memory = map(sides[0], 20, 9, 10);
        settle(sides);
        assertThat(sides[1].engine.windowAt(0)).isZero();
        assertThat(sides[1].engine.writeAt(20, bytes(10, 5))).isEqualTo(10);
        settle(sides);
        assertThat(memory).isEqualTo(bytes(10, 5));
    }

    @Test
    void aWindowThatIsFreedInTimeIsNeverTold() throws RdmaException {
        Recorder recorder = new Recorder(Setup.USUAL);
        recorder.engine.connected(Recorder.peer(1, 4));
        assertThat(recorder.engine.write(bytes(1, 1))).isEqualTo(1);
        recorder.take();
        int index = recorder.engine.map(0, new Area(0x1000, 1, 10));
        recorder.engine.unmap(index);
        recorder.engine.received(Message.of(Message.SGL, 2), 0);
        recorder.engine.proceed();
        assertThat(recorder.take()).isEmpty();
    }

    @Test
    void aWriteGoesOnInTheNextWindowAndStopsAtTheLast() throws RdmaException {
        EngineSide[] sides = pair(Setup.USUAL, Setup.USUAL.windows(3));
        ByteBuffer first = map(sides[0], 0, 7, 10);
        ByteBuffer second = map(sides[0], 10, 8, 10);
        map(sides[0], 40, 9, 10);
        settle(sides);
        assertThat(sides[1].engine.writeAt(5, bytes(30, 4))).isEqualTo(15);
        assertThat(sides[1].engine.writeAt(20, bytes(30, 4))).isZero();
        settle(sides);
        assertThat(first.slice(5, 5)).isEqualTo(bytes(5, 4));
        assertThat(first.slice(0, 5)).isEqualTo(bytes(5, 0));
        assertThat(second).isEqualTo(bytes(10, 4));
    }

    @Test
    void windowsWithoutEndUseUpNoCreditsOfThisEngine() throws RdmaException {
        Setup setup = Setup.USUAL.queues(16, 16).windows(1).buffers(64, 64);
        EngineSide[] sides = pair(setup, setup);
        for (int i = 0; i < 70_000; i++) {
            int index = sides[0].map(i, new Area(ADDRESS, 7, 10));
            assertThat(index).isZero();
            settle(sides);
            assertThat(sides[1].engine.windowAt(i)).isEqualTo(10);
            sides[0].engine.unmap(index);
        }
    }

    @Test
    void anEngineTellsAPeerOfCOfMoreWindowsThanItKeepsCreditsUnused() throws RdmaException {
        for (int[] known : new int[][] {{384, 192}, {32, 16}, {16, 8}}) {
            Setup setup = Setup.USUAL.queues(64, known[0]);
            EngineSide one = new EngineSide(setup);
            CModel c = new CModel(setup.windows(32_512).likeC());
            Side.connect(one, c);
            int told = 0;
            while (told < 32_512 && carries(one, c)) {
                one.map(told, new Area(ADDRESS, 7, 10));
                told++;
            }
            assertThat(told).as("windows told to a queue of %d", known[0]).isGreaterThanOrEqualTo(known[1]);
        }
    }

    /** True if as many messages as the peer's queue has go through. */
    private static boolean carries(EngineSide one, CModel c) throws RdmaException {
        for (int i = 0; i < c.setup.receiveQueue(); i++) {
            if (one.write(bytes(1, i)) == 0) {
                return false;
            }
            settle(one, c);
            if (c.read(ByteBuffer.allocate(9)) == 0) {
                return false;
            }
            settle(one, c);
        }
        return true;
    }

    @Test
    void aPeerOfCMapsAndIsWrittenTo() throws RdmaException {
        EngineSide one = new EngineSide(Setup.USUAL.windows(2));
        CModel c = new CModel(Setup.USUAL.likeC());
        Side.connect(one, c);
        ByteBuffer first = map(c, 0, 7, 10);
        ByteBuffer second = map(c, 10, 8, 10);
        settle(one, c);
        c.write(bytes(1, 1));
        settle(one, c);
        assertThat(one.read(ByteBuffer.allocate(9))).isEqualTo(1);
        assertThat(one.engine.writeAt(0, bytes(20, 6))).isEqualTo(20);
        settle(one, c);
        assertThat(first).isEqualTo(bytes(10, 6));
        assertThat(second).isEqualTo(bytes(10, 6));
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void writesAndTheStreamShareTheSendBuffer(long seed) throws RdmaException {
        Random random = new Random(seed);
        for (int run = 0; run < 40; run++) {
            Setup setup = Setup.random(random).windows(3);
            EngineSide[] sides = pair(setup, Setup.random(random).windows(3));
            ByteBuffer memory = ByteBuffer.allocate(3_000);
            sides[0].register(7, ADDRESS, memory);
            for (int i = 0; i < 3; i++) {
                long offset = 1_000L * i;
                sides[0].map(offset, new Area(ADDRESS + offset, 7, 1_000));
            }
            settle(sides);
            byte[] expected = new byte[3_000];
            for (int i = 0; i < 200; i++) {
                ByteBuffer source = ByteBuffer.allocate(random.nextInt(1_500));
                random.nextBytes(source.array());
                int offset = random.nextInt(3_100);
                int written = sides[1].engine.writeAt(offset, source);
                System.arraycopy(source.array(), 0, expected, Math.min(offset, 3_000), written);
                sides[1].write(bytes(random.nextInt(50), 1));
                for (int n = random.nextInt(10); n > 0; n--) {
                    sides[1].deliver();
                    sides[0].poll(1);
                    sides[0].deliver();
                    sides[1].poll(1);
                    sides[0].read(ByteBuffer.allocate(10));
                    sides[1].acknowledge(2);
                }
            }
            settle(sides);
            assertThat(memory.array()).as("run %d", run).isEqualTo(expected);
        }
    }
}
