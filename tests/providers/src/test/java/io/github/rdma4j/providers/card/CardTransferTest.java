// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import static io.github.rdma4j.providers.card.HandMadeQueues.count;
import static io.github.rdma4j.providers.card.HandMadeQueues.nativeLong;
import static io.github.rdma4j.providers.card.HandMadeQueues.piece;
import static io.github.rdma4j.providers.card.HandMadeQueues.remotePiece;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.card.HandMadeQueues.Completion;
import io.github.rdma4j.providers.card.HandMadeQueues.Side;
import io.github.rdma4j.support.NewSeed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The device carries out the work requests that libmlx5 44 wrote, byte for byte as they were recorded. */
class CardTransferTest {
    /** Fills the ring up to a work request's recorded place: writes of nothing, signaled by nobody. */
    private static final int SEEDS = 20;

    private static final String NOTHING = "11223344 55667788 cafe0001 00000000";

    private final HandMadeQueues queues = new HandMadeQueues();
    private final Side sender = queues.sender();
    private final Side receiver = queues.receiver();
    private final ByteBuffer local = queues.local();
    private final ByteBuffer remote = queues.remote();

    @BeforeEach
    void fill() {
        count(local);
    }

    @AfterEach
    void complainsAboutNothing() {
        assertThat(queues.card().complaints()).isEmpty();
    }

    private void goTo(int block) {
        for (int i = 0; i < block; i++) {
            sender.post(sender.control(Opcodes.RDMA_WRITE, 2, 0), NOTHING);
        }
        assertThat(sender.hasCompletion()).isFalse();
    }

    @Test
    void sends() {
        receiver.receive(remotePiece(100, 64));
        sender.post("0000000a 00010002 00000008 00000000", "0000000a 0000045a 00005555 5555c000");
        Completion sent = sender.poll();
        assertThat(sent.opcode()).isEqualTo(Mlx5Cqe.REQUEST);
        assertThat(sent.counter()).isZero();
        assertThat(sent.wqeOpcode()).isEqualTo(Opcodes.SEND);
        assertThat(sent.qpn()).isEqualTo(0x100);
        Completion received = receiver.poll();
        assertThat(received.opcode()).isEqualTo(Mlx5Cqe.RECEIVED_SEND);
        assertThat(received.byteCount()).isEqualTo(10);
        assertThat(received.userIndex()).isEqualTo(0x100);
        assertThat(received.isSolicited()).isFalse();
        assertThat(remote.slice(100, 10)).isEqualTo(local.slice(0, 10));
        assertThat(remote.get(110)).isZero();
    }

    @Test
    void sendsInlineWithImmediateUnsignaledAndSolicited() {
        goTo(1);
        receiver.receive(remotePiece(0, 4), remotePiece(50, 6));
        sender.post("0000010b 00010002 00000002 a1b2c3d4", "8000000a 00010203 04050607 08090000");
        assertThat(sender.hasCompletion()).isFalse();
        Completion received = receiver.poll();
        assertThat(received.opcode()).isEqualTo(Mlx5Cqe.RECEIVED_SEND_IMM);
        assertThat(received.immediate()).isEqualTo(0xa1b2c3d4);
        assertThat(received.isSolicited()).isTrue();
        assertThat(remote.getInt(0)).isEqualTo(0x00010203);
        assertThat(remote.getInt(50)).isEqualTo(0x04050607);
        assertThat(remote.getShort(54)).isEqualTo((short) 0x0809);
    }

    @Test
    void writesTwoPieces() {
        goTo(2);
        sender.post(
                "00000208 00010004 00000088 00000000 11223344 55667788 cafe0001 00000000",
                "0000000a 0000045a 00005555 5555c000 00000064 0000045a 00005555 5555c010");
        assertThat(sender.poll().wqeOpcode()).isEqualTo(Opcodes.RDMA_WRITE);
        assertThat(remote.slice(0, 10)).isEqualTo(local.slice(0, 10));
        assertThat(remote.slice(10, 100)).isEqualTo(local.slice(16, 100));
        assertThat(receiver.hasCompletion()).isFalse();
    }

    private static final String[] WRITE_IMM_OF_THREE_BLOCKS = {
        "00010009 00000008 00000007 11223344 55667788 cafe0001 00000000",
        "80000064 10111213 14151617 18191a1b 1c1d1e1f 20212223 24252627 28292a2b",
        "2c2d2e2f 30313233 34353637 38393a3b 3c3d3e3f 40414243 44454647 48494a4b",
        "4c4d4e4f 50515253 54555657 58595a5b 5c5d5e5f 60616263 64656667 68696a6b",
        "6c6d6e6f 70717273 00000000 00000000"
    };

    @Test
    void writesInlineOverThreeBlocksAndTells() {
        goTo(3);
        assertWritesThreeBlocks("00000309");
    }

    @Test
    void writesAcrossTheEndOfTheRing() {
        goTo(62);
        assertWritesThreeBlocks("00003e09");
    }

    private void assertWritesThreeBlocks(String head) {
        receiver.receive();
        sender.post(head, String.join("", WRITE_IMM_OF_THREE_BLOCKS));
        assertThat(sender.poll().wqeOpcode()).isEqualTo(Opcodes.RDMA_WRITE_IMM);
        Completion received = receiver.poll();
        assertThat(received.opcode()).isEqualTo(Mlx5Cqe.RECEIVED_WRITE_IMM);
        assertThat(received.immediate()).isEqualTo(7);
        assertThat(received.byteCount()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(remote.get(i)).isEqualTo((byte) (0x10 + i));
        }
        assertThat(remote.get(100)).isZero();
    }

    @Test
    void reads() {
        goTo(6);
        count(remote);
        local.put(0, new byte[HandMadeQueues.BYTES]);
        sender.post(
                "00000610 00010003 00000008 00000000 11223344 55667788 cafe0001 00000000",
                "00000064 0000045a 00005555 5555c010");
        Completion read = sender.poll();
        assertThat(read.wqeOpcode()).isEqualTo(Opcodes.RDMA_READ);
        assertThat(read.byteCount()).isEqualTo(100);
        assertThat(local.slice(16, 100)).isEqualTo(remote.slice(0, 100));
        assertThat(local.get(15)).isZero();
        assertThat(local.get(116)).isZero();
    }

    @Test
    void comparesAndSwaps() {
        goTo(7);
        remote.order(ByteOrder.nativeOrder()).putLong(0, 0x0102030405060708L);
        sender.post(
                "00000711 00010004 00000008 00000000 11223344 55667788 cafe0001 00000000",
                "11121314 15161718 01020304 05060708 00000008 0000045a 00005555 5555c008");
        assertThat(sender.poll().byteCount()).isEqualTo(8);
        assertThat(nativeLong(remote, 0)).isEqualTo(0x1112131415161718L);
        assertThat(nativeLong(local, 8)).isEqualTo(0x0102030405060708L);
    }

    @Test
    void fetchesAndAdds() {
        goTo(8);
        remote.order(ByteOrder.nativeOrder()).putLong(0, 5);
        sender.post(
                "00000812 00010004 00000008 00000000 11223344 55667788 cafe0001 00000000",
                "01020304 05060708 00000000 00000000 00000008 0000045a 00005555 5555c008");
        assertThat(sender.poll().wqeOpcode()).isEqualTo(Opcodes.ATOMIC_FA);
        assertThat(nativeLong(remote, 0)).isEqualTo(0x0102030405060708L + 5);
        assertThat(nativeLong(local, 8)).isEqualTo(5);
    }

    @Test
    void takesAChainByOneDoorbell() {
        goTo(9);
        for (int i = 0; i < 3; i++) {
            receiver.receive(remotePiece(i * 16, 16));
        }
        sender.write("0000090a 00010002 00000000 00000000", "0000000a 0000045a 00005555 5555c000");
        sender.write("00000a0a 00010002 00000000 00000000", "0000000a 0000045a 00005555 5555c000");
        sender.post("00000b0a 00010002 00000008 00000000", "0000000a 0000045a 00005555 5555c000");
        assertThat(sender.poll().counter()).isEqualTo(11);
        assertThat(sender.hasCompletion()).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(receiver.poll().counter()).isEqualTo(i);
            assertThat(remote.slice(i * 16, 10)).isEqualTo(local.slice(0, 10));
        }
    }

    @Test
    void sendsNothingAtAll() {
        goTo(12);
        receiver.receive();
        sender.post("00000c0a 00010001 00000008 00000000");
        assertThat(sender.poll().counter()).isEqualTo(12);
        assertThat(receiver.poll().byteCount()).isZero();
    }

    @Test
    void goesRoundAllRingsUntilTheCountersStartAnew() {
        byte[] request = HexFormat.of().parseHex("0000000a000100020000000800000000000000040000045a000055555555c000");
        for (int i = 0; i < 0x10010; i++) {
            receiver.receive(remotePiece(0, 8));
            local.putInt(0, i);
            request[1] = (byte) (i >> 8);
            request[2] = (byte) i;
            sender.ring(sender.write(request));
            assertThat(sender.poll().counter()).isEqualTo(i & 0xffff);
            assertThat(receiver.poll().counter()).isEqualTo(i & 0xffff);
            assertThat(remote.getInt(0)).isEqualTo(i);
        }
    }

    @Test
    void readsAnswersLateUnlessFenced() {
        boolean overtaken = false;
        long first = NewSeed.of("CardTransferTest, fences");
        for (long seed = first; seed < first + SEEDS; seed++) {
            HandMadeQueues slow = new HandMadeQueues(QpSpec.RC, Timing.hostile(seed));
            slow.sender()
                    .qp()
                    .attributes(HandMadeQueues.attributes(slow.receiver().qp().qpn(), 15, 7, 4));
            overtaken |= !readsThenWrites(slow, SendElement.SIGNALED);
            assertThat(readsThenWrites(slow, SendElement.SIGNALED | SendElement.FENCE))
                    .isTrue();
            assertThat(slow.card().complaints()).isEmpty();
        }
        assertThat(overtaken).isTrue();
    }

    /** Whether a write that follows a read writes what was read. */
    private static boolean readsThenWrites(HandMadeQueues slow, int flags) {
        slow.local().putLong(0, 1);
        slow.remote().putLong(0, 2).putLong(64, 0);
        String data = "00000008 0000045a 00005555 5555c000";
        Side side = slow.sender();
        side.write(side.control(Opcodes.RDMA_READ, 3, SendElement.SIGNALED), NOTHING, data);
        String target = "11223344 556677c8 cafe0001 00000000";
        side.post(side.control(Opcodes.RDMA_WRITE, 3, flags), target, data);
        assertThat(side.poll().wqeOpcode()).isEqualTo(Opcodes.RDMA_READ);
        assertThat(side.poll().wqeOpcode()).isEqualTo(Opcodes.RDMA_WRITE);
        return slow.remote().getLong(64) == 2;
    }

    @Test
    void keepsTheOrderOfAQueueWhateverTheTiming() {
        long first = NewSeed.of("CardTransferTest, order");
        for (long seed = first; seed < first + SEEDS; seed++) {
            HandMadeQueues slow = new HandMadeQueues(QpSpec.RC, Timing.hostile(seed));
            for (int i = 0; i < 8; i++) {
                slow.receiver().receive(piece(1024 + i * 8, 8));
            }
            for (int i = 0; i < 8; i++) {
                Side side = slow.sender();
                slow.local().putInt(i * 8, i);
                side.post(
                        side.control(Opcodes.SEND, 2, SendElement.SIGNALED),
                        String.format("00000004 0000045a %016x", HandMadeQueues.LOCAL_IOVA + i * 8L));
            }
            for (int i = 0; i < 8; i++) {
                assertThat(slow.sender().poll().counter()).isEqualTo(i);
                assertThat(slow.receiver().poll().counter()).isEqualTo(i);
                assertThat(slow.local().getInt(1024 + i * 8)).isEqualTo(i);
            }
        }
    }
}
