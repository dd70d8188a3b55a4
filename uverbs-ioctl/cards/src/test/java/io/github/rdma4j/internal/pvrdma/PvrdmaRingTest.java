// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.pvrdma.Wqe.Cqe;
import io.github.rdma4j.internal.pvrdma.Wqe.ReceiveHeader;
import io.github.rdma4j.internal.pvrdma.Wqe.SendHeader;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The rings of vmw_pvrdma over memory that no device looks at: the test is the device. */
class PvrdmaRingTest extends PvrdmaTestRings {
    PvrdmaRingTest() throws Exception {}

    private ReceiveRing receiveRing() {
        return requireNonNull(queues.receive());
    }

    @Test
    void asksForPowersOfTwo() {
        assertThat(context.entriesToRequest(5)).isEqualTo(8);
        assertThat(context.capacitiesToRequest(new QpCap(5, 0, 3, 0, 9))).isEqualTo(new QpCap(8, 1, 4, 1, 9));
        assertThatThrownBy(() -> context.entriesToRequest(Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 1048576");
    }

    @Test
    void aSendIsInTheRingBeforeTheDoorbell() {
        queues.send()
                .put(Views.of(new SendWorkRequest(0)
                        .wrId(42)
                        .rdmaWrite(0x1122334455667788L, 0x99)
                        .signaled()));
        assertThat(sends.getInt(0)).isZero();
        assertThat(device.doorbells()).isEmpty();
        assertThat(queues.send().publish()).isZero();
        assertThat(sends.getInt(0)).isEqualTo(1);
        assertThat(device.doorbells()).containsExactly("0: 40000007");
        assertThat(sends.getLong(PAGE)).isEqualTo(42);
        assertThat(sends.getInt(PAGE + SendHeader.OPCODE)).isEqualTo(WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE);
        assertThat(sends.getInt(PAGE + SendHeader.SEND_FLAGS)).isEqualTo(2);
        assertThat(sends.getLong(PAGE + SendHeader.RDMA_REMOTE_ADDR)).isEqualTo(0x1122334455667788L);
        assertThat(sends.getInt(PAGE + SendHeader.RDMA_RKEY)).isEqualTo(0x99);
    }

    @Test
    void aSendRingIsFullUntilTheDeviceHasReadASlot() {
        for (int i = 0; i < SLOTS; i++) {
            assertThat(queues.send().isFull()).isFalse();
            queues.send().put(Views.of(new SendWorkRequest(0).wrId(i)));
        }
        assertThat(queues.send().isFull()).isTrue();
        queues.send().publish();
        sends.putInt(4, 1);
        assertThat(queues.send().isFull()).isFalse();
        queues.send().put(Views.of(new SendWorkRequest(0).wrId(99)));
        assertThat(queues.send().isFull()).isTrue();
        assertThat(sends.getLong(PAGE)).isEqualTo(99);
        assertThat(sends.getLong(PAGE + SEND_SLOT)).isEqualTo(1);
    }

    @Test
    void theIndexRunsToTwiceTheSlots() {
        for (int i = 0; i < 2 * SLOTS; i++) {
            assertThat(sends.getInt(0)).isEqualTo(i);
            queues.send().put(Views.of(new SendWorkRequest(0)));
            queues.send().publish();
            sends.putInt(4, sends.getInt(0));
        }
        assertThat(sends.getInt(0)).isZero();
    }

    @Test
    void whatWasNotPublishedIsTakenBack() {
        queues.send().put(Views.of(new SendWorkRequest(0).wrId(1)));
        queues.send().discard();
        queues.send().put(Views.of(new SendWorkRequest(0).wrId(2)));
        queues.send().publish();
        assertThat(sends.getInt(0)).isEqualTo(1);
        assertThat(sends.getLong(PAGE)).isEqualTo(2);
    }

    private QueueRings queuePair(QueuePairType type) throws Exception {
        QpCap cap = context.capacitiesToRequest(new QpCap(1, 1, 1, 1, 0));
        return context.queuePair(new QueuePairRequest(type, cap, false, completions, completions, null))
                .finish(new Created.Qp(3, QPN + 2, cap, reply(QPN + 2, HANDLE + 2)));
    }

    /** The bytes that rdma-core's provider writes for the same request. */
    @Test
    void aDatagramNamesItsDestination() throws Exception {
        Gid gid = new Gid(0x0102_0304_0506_0708L, 0x1112_1314_1516_1718L);
        AhAttr to = new AhAttr(gid, 0xabcde, 5, 63, 0x42, 0, 3, 1, 2, true, 1);
        assertThat(context.hasAddressHandleCommand()).isFalse();
        AddressVector address =
                context.addressHandle(new Created.Pd(9, reply(0x77)), to).finish(Created.Ah.NONE);
        QueueRings datagrams = queuePair(QueuePairType.UD);
        ByteBuffer ring = device.memory(device.live() - 2);
        datagrams.send().put(Views.datagram(42, 0x123456, 0x8000_0001, address));
        byte[] written = new byte[SendHeader.BYTES];
        ring.get(PAGE, written);
        assertThat(HexFormat.of().formatHex(written))
                .isEqualTo(
                        "2a00000000000000" // wr_id
                                + "00000000" + "00000000" // num_sge, total_len
                                + "02000000" + "02000000" // IBV_WR_SEND, IBV_SEND_SIGNALED
                                + "00000000" + "00000000" // imm_data, reserved
                                + "56341200" + "01000080" // remote_qpn, remote_qkey
                                + "77000001" + "debc2a04" // port_pd, sl_tclass_flowlabel
                                + "01020304050607081112131415161718" // dgid
                                + "81" + "05" + "00" + "3f" // src_path_bits, gid_index, stat_rate, hop_limit
                                + "020304050518" + "000000000000"); // dmac, reserved
    }

    @Test
    void anAddressNeedsAGid() {
        assertThatThrownBy(() -> context.addressHandle(new Created.Pd(9, reply(1)), AhAttr.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be global");
    }

    @Test
    void aSharedReceiveRingHasAPageOfIndexes() throws Exception {
        assertThat(context.receivesToRequest(3)).isEqualTo(SLOTS);
        Creation<Created.Srq, SharedReceiveRing> creation = context.sharedReceiveQueue(SLOTS, 2);
        ByteBuffer memory = device.last();
        SharedReceiveRing shared = creation.finish(new Created.Srq(1, 0, SLOTS, 2, reply(6)));
        for (int i = 0; i < SLOTS; i++) {
            assertThat(shared.isFull()).isFalse();
            shared.put(new Pieces(10 + i, 2));
        }
        assertThat(shared.isFull()).isTrue();
        assertThat(memory.getInt(8)).isEqualTo(SLOTS);
        assertThat(device.doorbells()).hasSize(SLOTS).containsOnly("8: 40000006");
        assertThat(memory.getLong(PAGE + RECEIVE_SLOT)).isEqualTo(11);
        assertThat(memory.getInt(PAGE + RECEIVE_SLOT + ReceiveHeader.NUM_SGE)).isEqualTo(2);
        assertThat(memory.getLong(PAGE + RECEIVE_SLOT + 32)).isEqualTo(0x101);
        memory.putInt(12, 1);
        assertThat(shared.isFull()).isFalse();
        int live = device.live();
        shared.retire(true);
        assertThat(device.live()).isEqualTo(live - 1);
        Creation<Created.Srq, SharedReceiveRing> refused = context.sharedReceiveQueue(SLOTS, 2);
        assertThatThrownBy(() -> refused.finish(new Created.Srq(1, 0, SLOTS + 1, 2, reply(6))))
                .isInstanceOf(MalformedReplyException.class);
        refused.abandon(true);
        assertThat(device.live()).isEqualTo(live - 1);
    }

    @Test
    void aQueuePairOnASharedQueueHasNoReceiveRing() throws Exception {
        SharedReceiveRing shared =
                context.sharedReceiveQueue(SLOTS, 1).finish(new Created.Srq(1, 0, SLOTS, 1, reply(6)));
        int before = device.live();
        QpCap cap = context.capacitiesToRequest(new QpCap(1, 0, 1, 0, 0));
        QueueRings rings = context.queuePair(
                        new QueuePairRequest(QueuePairType.RC, cap, false, completions, completions, shared))
                .finish(new Created.Qp(3, QPN + 2, cap, reply(QPN + 2, HANDLE + 2)));
        assertThat(rings.receive()).isNull();
        assertThat(device.live()).isEqualTo(before + 1);
        rings.reset();
        rings.retire(true);
        assertThat(device.live()).isEqualTo(before);
    }

    /** A receive of {@code pieces} pieces, each telling its index. */
    private record Pieces(long wrId, int numSge) implements ReceiveView {
        @Override
        public long totalLength() {
            return numSge;
        }

        @Override
        public long iova(int index) {
            return 0x100L + index;
        }

        @Override
        public int length(int index) {
            return 0x200 + index;
        }

        @Override
        public int lkey(int index) {
            return 0x300 + index;
        }
    }

    @Test
    void aReceiveIsWrittenWithItsPieces() {
        receiveRing().put(new Pieces(1, 0));
        receiveRing().put(new Pieces(2, 2));
        assertThat(sends.getInt(8)).isEqualTo(2);
        assertThat(device.doorbells()).containsExactly("0: 80000007", "0: 80000007");
        assertThat(receives.getLong(RECEIVE_SLOT)).isEqualTo(2);
        assertThat(receives.getInt(RECEIVE_SLOT + ReceiveHeader.NUM_SGE)).isEqualTo(2);
        assertThat(receives.getLong(RECEIVE_SLOT + 32)).isEqualTo(0x101);
        assertThat(receives.getInt(RECEIVE_SLOT + 40)).isEqualTo(0x201);
        assertThat(receives.getInt(RECEIVE_SLOT + 44)).isEqualTo(0x301);
        assertThatThrownBy(() -> receiveRing().put(new Pieces(3, 3))).isInstanceOf(IllegalArgumentException.class);
        assertThat(receives.getLong(2 * RECEIVE_SLOT)).isZero();
    }

    private void complete(int slot, long wrId, long handle) {
        int at = PAGE + slot * Cqe.BYTES;
        completionMemory.putLong(at + Cqe.WR_ID, wrId).putLong(at + Cqe.QP, handle);
        completionMemory.putInt(at + Cqe.OPCODE, 128).putInt(at + Cqe.BYTE_LEN, 77);
        completionMemory.putInt(8, completionMemory.getInt(8) + 1);
    }

    private int poll(WorkCompletion... into) {
        return completions.poll(into, Views.SINK);
    }

    @Test
    void anEmptyRingAsksTheDevice() {
        assertThat(poll(WorkCompletion.array(1))).isZero();
        assertThat(device.doorbells()).containsExactly("4: 80000005");
    }

    @Test
    void completionsNameTheQueuePairByItsNumber() {
        complete(0, 10, HANDLE);
        WorkCompletion[] one = WorkCompletion.array(1);
        assertThat(poll(one)).isEqualTo(1);
        assertThat(device.doorbells()).isEmpty();
        assertThat(one[0].wrId()).isEqualTo(10);
        assertThat(one[0].qpNumber()).isEqualTo(QPN);
        assertThat(one[0].byteLength()).isEqualTo(77);
        assertThat(one[0].isReceive()).isTrue();
        assertThat(completionMemory.getInt(12)).isEqualTo(1);
    }

    @Test
    void aCompletionTellsWhereTheDatagramCameFrom() throws Exception {
        completionMemory.putLong(PAGE + Cqe.QP, HANDLE).putInt(PAGE + Cqe.OPCODE, 128);
        completionMemory.putInt(PAGE + Cqe.SRC_QP, 0xff_fff6);
        completionMemory.putShort(PAGE + Cqe.PKEY_INDEX, (short) 0xfff7);
        completionMemory.putShort(PAGE + Cqe.SLID, (short) 0xeeee);
        completionMemory.put(PAGE + Cqe.SL, (byte) 14).put(PAGE + Cqe.DLID_PATH_BITS, (byte) 0x7e);
        completionMemory.put(PAGE + Cqe.PORT_NUM, (byte) 1).put(PAGE + Cqe.SMAC, (byte) 2);
        completionMemory.putInt(8, 1);
        WorkCompletion[] one = WorkCompletion.array(1);
        assertThat(poll(one)).isEqualTo(1);
        assertThat(one[0].sourceQp()).isEqualTo(0xff_fff6);
        assertThat(one[0].pkeyIndex()).isEqualTo(0xfff7);
        assertThat(one[0].slid()).isEqualTo(0xeeee);
        assertThat(one[0].sl()).isEqualTo(14);
        assertThat(one[0].dlidPathBits()).isEqualTo(0x7e);
    }

    @Test
    void completionsOfADestroyedQueuePairAreForgotten() throws Exception {
        complete(0, 10, HANDLE);
        completions.forget(queues);
        queues.retire(true);
        assertThat(device.live()).isEqualTo(1);
        makeNext();
        assertThat(poll(WorkCompletion.array(1))).isZero();
    }

    /** A queue pair that has the same handle. */
    private void makeNext() throws Exception {
        Creation<Created.Qp, QueueRings> next = context.queuePair(new QueuePairRequest(
                QueuePairType.RC, new QpCap(1, 1, 1, 1, 0), false, completions, completions, null));
        next.finish(new Created.Qp(2, QPN + 1, new QpCap(1, 1, 1, 1, 0), reply(QPN + 1, HANDLE)));
    }

    @Test
    void aQueuePairThatGoesLeavesItsHandleToTheNext() throws Exception {
        WorkCompletion[] one = WorkCompletion.array(1);
        makeNext();
        queues.retire(true);

        complete(0, 10, HANDLE);

        assertThat(poll(one)).isEqualTo(1);
        assertThat(one[0].qpNumber()).isEqualTo(QPN + 1);
    }

    /** The verbs hold the lock, so that the order of the test above does not come about. */
    @Test
    void queuePairsAreMadeAndDestroyedOneAtATime() {
        assertThat(context.queueNumberLock()).isNotNull();
    }

    @Test
    void takesNothingIntoAnArrayOfNothing() {
        complete(0, 10, HANDLE);
        assertThatThrownBy(() -> poll(new WorkCompletion[2]))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("WorkCompletion.array(n)");
        assertThat(poll()).isZero();
        assertThat(poll(WorkCompletion.array(1))).isEqualTo(1);
    }

    @Test
    void armsByTheDoorbell() throws Exception {
        completions.arm(false);
        completions.arm(true);
        assertThat(device.doorbells()).containsExactly("4: 40000005", "4: 20000005");
    }

    @Test
    void aResetEmptiesTheRings() {
        queues.send().put(Views.of(new SendWorkRequest(0)));
        queues.send().publish();
        receiveRing().put(new Pieces(1, 1));
        queues.reset();
        assertThat(sends.getLong(0)).isZero();
        assertThat(sends.getLong(8)).isZero();
        queues.send().put(Views.of(new SendWorkRequest(0).wrId(6)));
        assertThat(sends.getLong(PAGE)).isEqualTo(6);
    }

    @Test
    void theHandleIsTheNumberWhereTheKernelTellsNone() throws Exception {
        QpCap cap = new QpCap(1, 1, 1, 1, 0);
        QueuePairRequest request = new QueuePairRequest(QueuePairType.RC, cap, false, completions, completions, null);
        QueueRings older = context.queuePair(request).finish(new Created.Qp(2, 9, cap, reply(0, 0)));
        older.send().publish();
        assertThat(device.doorbells()).containsExactly("0: 40000009");
        Creation<Created.Qp, QueueRings> wild = context.queuePair(request);
        assertThatThrownBy(() -> wild.finish(new Created.Qp(2, 10, cap, reply(10, TABLE))))
                .isInstanceOf(MalformedReplyException.class);
    }

    @Test
    void everythingIsGivenBack() {
        queues.retire(true);
        completions.retire(true);
        context.close();
        assertThat(device.live()).isZero();
        assertThat(device.doorbells()).containsExactly("retired");
    }
}
