// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import static io.github.rdma4j.providers.card.HandMadeQueues.LOCAL_IOVA;
import static io.github.rdma4j.providers.card.HandMadeQueues.PD;
import static io.github.rdma4j.providers.card.HandMadeQueues.remotePiece;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.HandMadeQueues.Completion;
import io.github.rdma4j.providers.card.HandMadeQueues.Side;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the device does not let pass: malformed work requests, doorbells, rings and addresses, and foreign memory. */
class CardChecksTest {
    private static final String DATA = "0000000a 0000045a 00005555 5555c000";
    private static final String REMOTE = "11223344 55667788 cafe0001 00000000";

    private final HandMadeQueues queues = new HandMadeQueues();
    private final Side sender = queues.sender();
    private final Side receiver = queues.receiver();

    private void assertFailed(Syndrome syndrome) {
        Completion failed = sender.poll();
        assertThat(failed.opcode()).isEqualTo(Mlx5Cqe.REQUEST_ERROR);
        assertThat(failed.syndrome()).isEqualTo(syndrome.code());
        assertThat(failed.counter()).isZero();
        assertThat(sender.qp().state()).isEqualTo(CardQp.ERR);
    }

    @ParameterizedTest
    @CsvSource({
        "0000010a 00010002 00000008 00000000, rung with 0000010a00010002",
        "0100000a 00010002 00000008 00000000, the index 65536",
        "0000000a 00010102 00000008 00000000, the queue pair 0x101",
        "00000001 00010002 00000008 00000000, the opcode 0x1",
        "0000000a 00010002 00000048 00000000, the flags 0x48",
        "0000000a 00010002 01000008 00000000, 0x10000 where zeros must be",
        "0000000a 00010040 00000008 00000000, a size of 64",
        "00000008 00010001 00000008 00000000, only 0 bytes of segments",
    })
    void refusesAMalformedControlSegment(String control, String complaint) {
        long doorbell = sender.write(control, DATA);
        sender.record().putInt(4, 16);
        queues.store(UarPage.SEND_DOORBELL, doorbell);
        queues.card().settle();
        assertThat(queues.card().complaints())
                .anySatisfy(each -> assertThat(each).contains(complaint));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000 0000045a 00005555 5555c000", "80000000 00000000 00000000 00000000"})
    void refusesEmptyPieces(String piece) {
        sender.post("0000000a 00010002 00000008 00000000", piece);
        assertFailed(Syndrome.LOCAL_QP_OP_ERR);
        assertThat(queues.card().complaints()).hasSize(1);
    }

    @Test
    void refusesInlineDataForARead() {
        sender.post("00000010 00010003 00000008 00000000", REMOTE, "80000004 00000000 00000000 00000000");
        assertFailed(Syndrome.LOCAL_QP_OP_ERR);
    }

    @Test
    void refusesAReadOfAnUnreliableQueuePair() {
        HandMadeQueues unreliable = new HandMadeQueues(QpSpec.UC, Timing.prompt());
        unreliable.sender().post("00000010 00010003 00000008 00000000", REMOTE, DATA);
        assertThat(unreliable.sender().poll().syndrome()).isEqualTo(Syndrome.LOCAL_QP_OP_ERR.code());
    }

    // ---- doorbells

    @Test
    void doesNothingWithoutADoorbell() {
        sender.write("0000000a 00010002 00000008 00000000", DATA);
        sender.record().putInt(4, 1);
        queues.card().settle();
        assertThat(sender.hasCompletion()).isFalse();
        assertThat(sender.qp().hasWork()).isFalse();
    }

    @Test
    void complainsAboutARecordThatIsBehind() {
        long doorbell = sender.write("0000000a 00010002 00000008 00000000", DATA);
        queues.store(UarPage.SEND_DOORBELL, doorbell);
        queues.card().settle();
        assertThat(queues.card().complaints()).singleElement().asString().contains("its record says 0");
        assertThat(sender.qp().hasWork()).isFalse();
    }

    @Test
    void complainsAboutADoorbellThatDiffersFromTheWorkRequest() {
        sender.write("0000000a 00010002 00000008 00000000", DATA);
        sender.ring(0x0000000b_00010002L);
        assertThat(queues.card().complaints()).singleElement().asString().contains("for 0000000a00010002");
    }

    @ParameterizedTest
    @CsvSource({"2560, which is not that of its queue pair", "32, arms no completion queue of its page"})
    void complainsAboutTheWrongRegister(int offset, String complaint) {
        long doorbell = sender.write("0000000a 00010002 00000008 00000000", DATA);
        sender.record().putInt(4, 1);
        queues.store(offset, doorbell);
        queues.card().settle();
        assertThat(queues.card().complaints()).singleElement().asString().contains(complaint);
    }

    // ---- completion queues

    private void writeNothing(int block) {
        sender.post(String.format("00%04x08 00010002 00000008 00000000", block), REMOTE);
    }

    private void arm(int word) {
        sender.cqRecord().putInt(4, word);
        queues.store(UarPage.CQ_DOORBELL, (long) word << 32 | 0x400);
        queues.card().settle();
    }

    @Test
    void complainsAboutARecordThatIsAhead() {
        sender.cqRecord().putInt(0, 1);
        writeNothing(0);
        assertThat(queues.card().complaints()).singleElement().asString().contains("more than was completed");
    }

    @Test
    void complainsAboutAnArmingThatDiffersFromTheRecord() {
        queues.store(UarPage.CQ_DOORBELL, 5L << 32 | 0x400);
        queues.card().settle();
        assertThat(queues.card().complaints()).singleElement().asString().contains("armed with 0x5");
    }

    @Test
    void ignoresASequenceNumberWhoseEventHasCome() {
        arm(0);
        writeNothing(0);
        sender.poll();
        arm(1);
        writeNothing(1);
        assertThat(queues.events()).hasSize(1);
        assertThat(sender.cq().ineffectiveArms()).isEqualTo(1);
    }

    // ---- shared receive queues

    @ParameterizedTest
    @CsvSource({"8, 1, more receives than entries", "2, 8, an entry that is not there"})
    void complainsAboutAListOfReceivesThatIsWrong(int posted, int second, String why) {
        ByteBuffer ring = HandMadeQueues.memory(8 * 64).putShort(2, (short) second);
        ByteBuffer record = HandMadeQueues.memory(64).putInt(0, posted);
        CardSrq srq = queues.card()
                .createSrq(new Mlx5Srq.Place(0x40, PD, HandMadeQueues.pinned(ring), HandMadeQueues.pinned(record), 64));
        srq.take();
        srq.take();
        assertThat(queues.card().complaints()).as(why).isNotEmpty();
    }

    @Test
    void leavesTheReceivesOfASharedQueueWhenAQueuePairFails() {
        ByteBuffer record = HandMadeQueues.memory(64).putInt(0, 2);
        CardSrq srq = queues.card()
                .createSrq(new Mlx5Srq.Place(
                        0x40,
                        PD,
                        HandMadeQueues.pinned(HandMadeQueues.memory(8 * 64)),
                        HandMadeQueues.pinned(record),
                        64));
        QpSpec own = receiver.qp().spec();
        Mlx5Rings rings = (Mlx5Rings) own.rings();
        Mlx5Rings sends =
                new Mlx5Rings(0x100, rings.ring(), rings.record(), rings.sendBlocks(), 0, 0, rings.doorbell());
        CardQp onShared = queues.card()
                .createQp(new QpSpec(own.qpn(), own.type(), own.pd(), own.sendCq(), own.receiveCq(), srq, sends));
        queues.card().moveQp(onShared, CardQp.RTS);
        queues.card().moveQp(onShared, CardQp.ERR);
        queues.card().settle();
        assertThat(queues.events()).containsExactly("event 16 of QP 0x200");
        assertThat(receiver.hasCompletion()).isFalse();
        assertThat(srq.isEmpty()).isFalse();
    }

    // ---- datagrams

    @ParameterizedTest
    @CsvSource({
        "11111111 00000000 00000200 0600e341 00000000, 02ff0a4d 0001, 2040 00012345, no address vector",
        "11111111 00000000 80000200 06000000 00000000, 02ff0a4d 0001, 2040 00012345, no address vector",
        "11111111 00000000 80000200 0600e341 00000000, 02ff0a4d 0001, 2040 40012345, no address vector",
        "11111111 00000000 80000200 0600e341 00000000, 02ff0a4d 0002, 2040 00012345, the MAC",
        "11111111 00000000 80000200 0600e341 00000000, 02ff0a4d 0001, 2040 00112345, the MAC",
    })
    void losesADatagramWithoutAnAddressOfRoce(String to, String mac, String flow, String complaint) {
        HandMadeQueues datagrams = new HandMadeQueues(QpSpec.UD, Timing.prompt());
        String gid = "00000000 00000000 0000ffff 0a4d0001";
        datagrams.card().addGid(HexFormat.of().parseHex(gid.replace(" ", "")));
        datagrams.receiver().receive(remotePiece(0, 100));
        datagrams.sender().post("0000000a 00010005 00000008 00000000", to, mac, flow, gid, DATA);
        assertThat(datagrams.receiver().hasCompletion()).isFalse();
        assertThat(datagrams.card().complaints()).singleElement().asString().contains(complaint);
    }

    // ---- memory

    private void addKey(int number, int pd, int access) {
        queues.card().addKey(new MemoryKey(number, pd, LOCAL_IOVA, 4096, NativeMemory.address(queues.local()), access));
    }

    @ParameterizedTest
    @CsvSource({
        "0000045b, 000055555555c000, unknown",
        "0000045a, 000055555555bfff, before",
        "0000045a, 000055555555cff7, behind",
        "0000045a, ffffffffffffffff, far away",
        "00000777, 000055555555c000, of another protection domain",
    })
    void refusesToGatherForeignMemory(String key, String address, String why) {
        addKey(0x777, PD + 1, MemoryKey.LOCAL_WRITE);
        receiver.receive(remotePiece(0, 64));
        sender.post("0000000a 00010002 00000008 00000000", "0000000a" + key + address);
        assertFailed(Syndrome.LOCAL_PROT_ERR);
        assertThat(receiver.hasCompletion()).as(why).isFalse();
    }

    @Test
    void refusesToReadIntoMemoryThatIsNotWritable() {
        addKey(0x777, PD, 0);
        sender.post("00000010 00010003 00000008 00000000", REMOTE, "0000000a 00000777 00005555 5555c000");
        assertFailed(Syndrome.LOCAL_PROT_ERR);
    }

    @ParameterizedTest
    @CsvSource({
        "1122334455667788 cafe0002, an unknown key",
        "1122334455667787 cafe0001, before",
        "112233445566877f cafe0001, behind",
        "000055555555c000 00000777, no remote access",
        "000055555555c000 00000778, another protection domain",
    })
    void refusesAWriteToForeignMemory(String target, String why) {
        addKey(0x777, PD, MemoryKey.LOCAL_WRITE);
        addKey(0x778, PD + 1, MemoryKey.LOCAL_WRITE | MemoryKey.REMOTE_WRITE);
        sender.post("00000008 00010003 00000008 00000000", target + "00000000", DATA);
        assertFailed(Syndrome.REMOTE_ACCESS_ERR);
        assertThat(queues.events()).as(why).containsExactly("event 3 of QP 0x200");
        assertThat(receiver.qp().state()).isEqualTo(CardQp.ERR);
    }

    @ParameterizedTest
    @CsvSource({"08, 2", "10, 4"})
    void refusesWhatTheQueuePairDoesNotAllow(String opcode, int access) {
        receiver.qp().attributes(HandMadeQueues.attributes(sender.qp().qpn(), 15 & ~access, 7, 1));
        sender.post("000000" + opcode + "00010003 00000008 00000000", REMOTE, DATA);
        assertFailed(Syndrome.REMOTE_ACCESS_ERR);
    }

    @Test
    void refusesAnAtomicOperationThatIsNotAligned() {
        sender.post(
                "00000012 00010004 00000008 00000000 11223344 5566778c cafe0001 00000000",
                "00000000 00000001 00000000 00000000 00000008 0000045a 00005555 5555c000");
        assertFailed(Syndrome.REMOTE_INVAL_REQ_ERR);
    }
}
