// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.StubDevice;
import io.github.rdma4j.internal.rxe.RxeAbi.DmaInfo;
import io.github.rdma4j.internal.rxe.RxeAbi.QueueBuf;
import io.github.rdma4j.internal.rxe.RxeAbi.RecvWqe;
import io.github.rdma4j.internal.rxe.RxeAbi.SendWqe;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rings of soft-RoCE over memory that no kernel looks at. */
class RxeRingTest {
    private static final int SLOTS = 8;
    private static final int LENGTH = 8192;
    private static final int SHIFT = 8;
    private static final int SLOT = 1 << SHIFT;

    private final RingMemory pages = new StubDevice().map(0, LENGTH, "ring");
    private final ByteBuffer memory =
            pages.buffer().putInt(QueueBuf.LOG2_ELEM_SIZE, SHIFT).putInt(QueueBuf.INDEX_MASK, SLOTS - 1);

    private RxeQueue queue() throws Exception {
        return RxeQueue.over(pages, "ring");
    }

    private RxeCompletionRing completions(int count) throws Exception {
        RxeCompletionRing ring = new RxeCompletionRing(queue(), SLOTS, new NoDriver());
        for (int i = 0; i < count; i++) {
            memory.putLong(QueueBuf.DATA + i * SLOT + WorkCompletionLayout.WR_ID, 100 + i);
        }
        memory.putInt(QueueBuf.PRODUCER_INDEX, count);
        return ring;
    }

    /** Nothing is armed, and no other ring is there. */
    static final class NoDriver implements RxeCompletionRing.Driver {
        @Override
        public void arm(boolean solicitedOnly) {}

        @Override
        public RxeQueue map(ByteBuffer driverReply) {
            throw new AssertionError("nothing to map");
        }
    }

    private static int poll(RxeCompletionRing ring, WorkCompletion[] into) {
        return ring.poll(into, Views.SINK);
    }

    @Test
    void losesNoCompletionToAnArrayWithAHole() throws Exception {
        RxeCompletionRing ring = completions(3);
        WorkCompletion[] holed = WorkCompletion.array(4);
        holed[2] = null;
        assertThat(poll(ring, holed)).isEqualTo(2);
        assertThat(holed[1].wrId()).isEqualTo(101);
        WorkCompletion[] whole = WorkCompletion.array(4);
        assertThat(poll(ring, whole)).isEqualTo(1);
        assertThat(whole[0].wrId()).isEqualTo(102);
    }

    @Test
    void takesNothingIntoAnArrayOfNothing() throws Exception {
        RxeCompletionRing ring = completions(1);
        assertThatThrownBy(() -> poll(ring, new WorkCompletion[2]))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("WorkCompletion.array(n)");
        assertThat(poll(ring, new WorkCompletion[0])).isZero();
        assertThat(poll(ring, WorkCompletion.array(1))).isEqualTo(1);
        assertThat(poll(ring, new WorkCompletion[2])).isZero();
    }

    @Test
    void readsEachFieldOfACompletion() throws Exception {
        RxeCompletionRing ring = completions(2);
        int second = QueueBuf.DATA + SLOT;
        memory.putInt(second + WorkCompletionLayout.STATUS, 10);
        memory.putInt(second + WorkCompletionLayout.OPCODE, 129);
        memory.putInt(second + WorkCompletionLayout.VENDOR_ERR, 0x8000_0003);
        memory.putInt(second + WorkCompletionLayout.BYTE_LEN, 0x7000_0004);
        memory.order(ByteOrder.BIG_ENDIAN).putInt(second + WorkCompletionLayout.IMM_DATA, 0x8123_4567);
        memory.order(ByteOrder.nativeOrder()).putInt(second + WorkCompletionLayout.QP_NUM, 0xff_fff5);
        memory.putInt(second + WorkCompletionLayout.SRC_QP, 0xff_fff6);
        memory.putInt(second + WorkCompletionLayout.WC_FLAGS, WcFlags.IBV_WC_WITH_IMM);
        memory.putShort(second + WorkCompletionLayout.PKEY_INDEX, (short) 0xfff7);
        memory.putShort(second + WorkCompletionLayout.SLID, (short) 0xeeee);
        memory.put(second + WorkCompletionLayout.SL, (byte) 14);
        memory.put(second + WorkCompletionLayout.DLID_PATH_BITS, (byte) 0x7e);
        WorkCompletion[] two = WorkCompletion.array(2);
        assertThat(poll(ring, two)).isEqualTo(2);
        WorkCompletion read = two[1];
        assertThat(read.wrId()).isEqualTo(101);
        assertThat(read.rawStatus()).isEqualTo(10);
        assertThat(read.rawOpcode()).isEqualTo(129);
        assertThat(read.vendorError()).isEqualTo(0x8000_0003);
        assertThat(read.byteLength()).isEqualTo(0x7000_0004);
        assertThat(read.immediate()).isEqualTo(0x8123_4567);
        assertThat(read.qpNumber()).isEqualTo(0xff_fff5);
        assertThat(read.sourceQp()).isEqualTo(0xff_fff6);
        assertThat(read.flags()).isEqualTo(WcFlags.IBV_WC_WITH_IMM);
        assertThat(read.pkeyIndex()).isEqualTo(0xfff7);
        assertThat(read.slid()).isEqualTo(0xeeee);
        assertThat(read.sl()).isEqualTo(14);
        assertThat(read.dlidPathBits()).isEqualTo(0x7e);
    }

    @Test
    void tellsAnInvalidatedKeyByTheFlagOfLibibverbs() throws Exception {
        RxeCompletionRing ring = completions(2);
        memory.putInt(QueueBuf.DATA + WorkCompletionLayout.WC_FLAGS, 1 << 2 | WcFlags.IBV_WC_GRH);
        memory.putInt(QueueBuf.DATA + WorkCompletionLayout.IMM_DATA, 0x01020304);
        WorkCompletion[] two = WorkCompletion.array(2);
        assertThat(poll(ring, two)).isEqualTo(2);
        assertThat(two[0].flags()).isEqualTo(WcFlags.IBV_WC_WITH_INV | WcFlags.IBV_WC_GRH);
        assertThat(two[0].invalidatedKey()).isEqualTo(0x01020304);
        assertThat(two[1].hasInvalidatedKey()).isFalse();
    }

    private RxeSendRing sends() throws Exception {
        return new RxeSendRing(queue(), new QpCap(SLOTS, 0, 1, 0, 0), false, () -> 0);
    }

    @Test
    void withdrawsUnpublishedEntries() throws Exception {
        RxeSendRing ring = sends();
        ring.put(Views.of(new SendWorkRequest(0).wrId(1)));
        ring.put(Views.of(new SendWorkRequest(0).wrId(2)));
        ring.discard();
        ring.put(Views.of(new SendWorkRequest(0).wrId(3)));
        assertThat(ring.publish()).isZero();
        ring.discard();
        assertThat(memory.getInt(QueueBuf.PRODUCER_INDEX)).isEqualTo(1);
        assertThat(memory.getLong(QueueBuf.DATA + SendWqe.WR_ID)).isEqualTo(3);
    }

    /** Offsets and numbers as {@code rdma/rdma_user_rxe.h} of Linux 6.12 has them. */
    @Test
    void writesAFlushAndAnAtomicWrite() throws Exception {
        RxeSendRing ring = sends();
        ring.put(Views.of(new SendWorkRequest(0).flush(0x1000, 0x77, 64, SendWorkRequest.FlushPlacement.PERSISTENT)));
        ring.put(Views.of(new SendWorkRequest(0).atomicWrite(0x2000, 0x78, 42)));
        int flush = QueueBuf.DATA;
        assertThat(memory.getInt(flush + 12)).isEqualTo(14);
        assertThat(memory.getLong(flush + 24)).isEqualTo(0x1000);
        assertThat(memory.getInt(flush + 32)).isEqualTo(64);
        assertThat(memory.getInt(flush + 36)).isEqualTo(0x77);
        assertThat(memory.getShort(flush + 40)).isEqualTo((short) 2);
        assertThat(memory.getLong(flush + 152)).isEqualTo(0x1000);
        assertThat(memory.getInt(flush + 184)).isEqualTo(64);
        assertThat(memory.getInt(flush + 188)).isEqualTo(64);
        int write = QueueBuf.DATA + SLOT;
        assertThat(memory.getInt(write + 12)).isEqualTo(15);
        assertThat(memory.getLong(write + 24)).isEqualTo(0x2000);
        assertThat(memory.getInt(write + 32)).isEqualTo(0x78);
        assertThat(memory.getLong(write + 152)).isEqualTo(0x2000);
        assertThat(memory.getInt(write + 184)).isEqualTo(8);
        assertThat(memory.getInt(write + 188)).isEqualTo(8);
        assertThat(memory.getLong(write + 208)).isEqualTo(42);
    }

    @Test
    void writesTheKeyThatASendInvalidates() throws Exception {
        RxeSendRing ring = sends();
        ring.put(Views.of(new SendWorkRequest(0).sendWithInvalidate(0x01020304)));
        assertThat(memory.getInt(QueueBuf.DATA + 12)).isEqualTo(9);
        assertThat(memory.getInt(QueueBuf.DATA + 20)).isEqualTo(0x01020304);
    }

    @Test
    void writesNoRequestIntoTheNextSlot() throws Exception {
        RxeSendRing ring = sends();
        ByteBuffer tooLong = ByteBuffer.allocate(SLOT);
        for (int i = 0; i < tooLong.capacity(); i++) {
            tooLong.put(i, (byte) 0xff);
        }
        assertThatThrownBy(() -> ring.put(Views.of(new SendWorkRequest(0).inline(tooLong))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("grew while it was posted");
        assertThat(memory.getLong(QueueBuf.DATA + SLOT)).isZero();
        ring.put(Views.of(new SendWorkRequest(0).inline(tooLong.limit(SLOT - SendWqe.DMA - DmaInfo.INLINE_DATA))));
        assertThat(memory.get(QueueBuf.DATA + SLOT - 1)).isEqualTo((byte) 0xff);
        assertThat(memory.getLong(QueueBuf.DATA + SLOT)).isZero();
    }

    /** The kernel reads its own fields of a slot, and those of the union that the operation has. */
    @Test
    void leavesNothingInAUsedSlotThatTheKernelReads() throws Exception {
        List<SendWorkRequest> common = List.of(
                new SendWorkRequest(0).wrId(1).send(),
                new SendWorkRequest(0).sendWithImmediate(5).signaled(),
                new SendWorkRequest(0).rdmaWrite(0x1000, 0x77).inline(ByteBuffer.allocate(8)),
                new SendWorkRequest(0).rdmaRead(0x1000, 0x77));
        for (SendWorkRequest each : common) {
            assertThat(posted(each, 0xff)).isEqualTo(posted(each, 0));
            assertThat(union(each, 0xff, 16)).isEqualTo(union(each, 0, 16));
        }
        List<SendWorkRequest> others = List.of(
                new SendWorkRequest(0).flush(0x1000, 0x77, 64, SendWorkRequest.FlushPlacement.GLOBAL),
                new SendWorkRequest(0).atomicWrite(0x2000, 0x78, 42),
                new SendWorkRequest(0).sendWithInvalidate(9),
                new SendWorkRequest(0).compareAndSwap(0x1000, 0x77, 1, 2));
        for (SendWorkRequest each : others) {
            assertThat(posted(each, 0xff)).isEqualTo(posted(each, 0));
            assertThat(union(each, 0xff, 32)).isEqualTo(union(each, 0, 32));
        }
    }

    /** The bytes of {@code request} before and behind the union, in a slot that was full of {@code old}. */
    private List<Byte> posted(SendWorkRequest request, int old) throws Exception {
        List<Byte> bytes = new ArrayList<>(slot(request, old));
        bytes.subList(SendWqe.WR, SendWqe.STATUS).clear();
        return bytes;
    }

    private List<Byte> union(SendWorkRequest request, int old, int length) throws Exception {
        return slot(request, old).subList(SendWqe.WR, SendWqe.WR + length);
    }

    private List<Byte> slot(SendWorkRequest request, int old) throws Exception {
        for (int i = 0; i < SendWqe.BYTES; i++) {
            memory.put(QueueBuf.DATA + i, (byte) old);
        }
        RxeSendRing ring = sends();
        ring.put(Views.of(request));
        return IntStream.range(0, SendWqe.BYTES)
                .mapToObj(i -> memory.get(QueueBuf.DATA + i))
                .toList();
    }

    @Test
    void leavesNothingInAUsedSlotOfReceives() throws Exception {
        for (int i = 0; i < RecvWqe.BYTES; i++) {
            memory.put(QueueBuf.DATA + i, (byte) 0xff);
        }
        RxeReceiveRing ring = new RxeReceiveRing(queue(), 1);
        ring.put(Views.of(new ReceiveWorkRequest(0).wrId(0x0102_0304_0506_0708L)));
        assertThat(memory.getLong(QueueBuf.DATA + RecvWqe.WR_ID)).isEqualTo(0x0102_0304_0506_0708L);
        for (int i = RecvWqe.RESERVED; i < RecvWqe.BYTES; i++) {
            assertThat(memory.get(QueueBuf.DATA + i)).isZero();
        }
        assertThat(memory.getInt(QueueBuf.PRODUCER_INDEX)).isEqualTo(1);
    }
}
