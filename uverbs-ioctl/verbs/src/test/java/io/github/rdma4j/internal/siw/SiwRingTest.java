// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.StubDevice;
import io.github.rdma4j.internal.siw.SiwAbi.CompletionElement;
import io.github.rdma4j.internal.siw.SiwAbi.CqControl;
import io.github.rdma4j.internal.siw.SiwAbi.ReceiveElement;
import io.github.rdma4j.internal.siw.SiwAbi.SendElement;
import io.github.rdma4j.internal.siw.SiwAbi.Sge;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.Views;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rings of soft-iWARP over memory that no kernel looks at. */
class SiwRingTest {
    private static final int COUNT = 4;
    private static final int QPN = 17;

    private final StubDevice device = new StubDevice();
    private SiwCompletionRing completions;
    private int doorbells;

    @BeforeEach
    void makeCompletionQueue() throws Exception {
        completions = new SiwCompletionRing(SiwRing.map(device, 0, COUNT, CompletionElement.BYTES, CqControl.BYTES));
    }

    private SiwSendRing sends(boolean signalAll) throws Exception {
        QpCap cap = new QpCap(COUNT, 0, 6, 0, 80);
        QueuePairRequest request =
                new QueuePairRequest(QueuePairType.RC, cap, signalAll, completions, completions, null);
        SiwRing ring = SiwRing.map(device, 0, COUNT, SendElement.BYTES, 0);
        return new SiwSendRing(ring, new Created.Qp(1, QPN, cap, ByteBuffer.allocate(0)), request, this::ringDoorbell);
    }

    private int ringDoorbell() {
        doorbells++;
        return 0;
    }

    private ByteBuffer memory() {
        return device.last();
    }

    private int flags(int index, int elementBytes) {
        return Short.toUnsignedInt(memory().getShort(index * elementBytes + 8));
    }

    private static SendWorkRequest inline(long wrId, int bytes) {
        return new SendWorkRequest(0).wrId(wrId).inline(ByteBuffer.allocate(bytes));
    }

    @Test
    void showsTheKernelNothingBeforeItIsPublished() throws Exception {
        SiwSendRing ring = sends(false);
        ring.put(Views.of(inline(7, 10)));
        assertThat(flags(0, SendElement.BYTES)).isZero();
        assertThat(ring.publish()).isZero();
        assertThat(flags(0, SendElement.BYTES)).isEqualTo(SiwConstants.SIW_WQE_VALID | SiwConstants.SIW_WQE_INLINE);
        assertThat(memory().getLong(SendElement.ID)).isEqualTo(7);
        assertThat(memory().get(SendElement.NUM_SGE)).isEqualTo((byte) 1);
        assertThat(memory().get(SendElement.OPCODE)).isEqualTo((byte) SiwConstants.SIW_OP_SEND);
        assertThat(memory().getInt(SendElement.SGE + Sge.LENGTH)).isEqualTo(10);
    }

    @Test
    void isFullUntilTheKernelHasTakenAnElement() throws Exception {
        SiwSendRing ring = sends(true);
        for (int i = 0; i < COUNT; i++) {
            assertThat(ring.isFull()).isFalse();
            ring.put(Views.of(inline(i, 0)));
        }
        assertThat(ring.isFull())
                .as("nothing is published, and there is no room")
                .isTrue();
        ring.publish();
        assertThat(ring.isFull()).isTrue();
        assertThat(flags(3, SendElement.BYTES) & SiwConstants.SIW_WQE_SIGNALLED).isNotZero();
        memory().putShort(8, (short) 0);
        assertThat(ring.isFull()).isFalse();
    }

    @Test
    void takesBackWhatIsNotPublished() throws Exception {
        SiwSendRing ring = sends(false);
        ring.put(Views.of(inline(1, 0)));
        ring.publish();
        ring.put(Views.of(inline(2, 0)));
        ring.put(Views.of(inline(3, 0)));
        ring.discard();
        ring.put(Views.of(inline(4, 0)));
        ring.publish();
        assertThat(memory().getLong(SendElement.BYTES)).isEqualTo(4);
        assertThat(flags(2, SendElement.BYTES)).isZero();
    }

    @Test
    void refusesWhatIwarpDoesNotHave() throws Exception {
        SiwSendRing ring = sends(false);
        assertThatThrownBy(() -> ring.put(Views.of(new SendWorkRequest(0).fetchAndAdd(0, 0, 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no atomic operations");
        assertThatThrownBy(() -> ring.put(Views.of(new SendWorkRequest(0).sendWithImmediate(1))))
                .hasMessageContaining("no immediate data");
        assertThatThrownBy(() -> ring.put(Views.of(inline(1, 81)))).hasMessageContaining("81 inline bytes");
    }

    @Test
    void readsCompletionsAndGivesThemBack() throws Exception {
        SiwCompletionRing ring = completions;
        WorkCompletion[] into = WorkCompletion.array(2);
        assertThat(ring.poll(into, Views.SINK)).isZero();
        memory().putLong(CompletionElement.ID, 5)
                .putShort(CompletionElement.STATUS, (short) SiwConstants.SIW_WC_REM_ACCESS_ERR)
                .put(CompletionElement.OPCODE, (byte) SiwConstants.SIW_OP_RECEIVE)
                .putInt(CompletionElement.BYTES_MOVED, 99)
                .putLong(CompletionElement.QP_ID, 17)
                .put(CompletionElement.FLAGS, (byte) SiwConstants.SIW_WQE_VALID);
        assertThat(ring.poll(into, Views.SINK)).isEqualTo(1);
        assertThat(into[0].wrId()).isEqualTo(5);
        assertThat(into[0].status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        assertThat(into[0].opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(into[0].byteLength()).isEqualTo(99);
        assertThat(into[0].qpNumber()).isEqualTo(17);
        assertThat(memory().get(CompletionElement.FLAGS)).isZero();
        assertThat(ring.poll(into, Views.SINK)).isZero();
    }

    @Test
    void armsBehindTheLastElement() throws Exception {
        SiwCompletionRing ring = completions;
        ring.arm(false);
        assertThat(memory().getInt(COUNT * CompletionElement.BYTES)).isEqualTo(3);
        memory().putInt(COUNT * CompletionElement.BYTES, 0);
        ring.arm(true);
        assertThat(memory().getInt(COUNT * CompletionElement.BYTES))
                .as("the kernel takes no receive for solicited")
                .isEqualTo(3);
    }

    private void assertFlushed(WorkCompletion completion, long wrId, WorkCompletionOpcode opcode) {
        assertThat(completion.wrId()).isEqualTo(wrId);
        assertThat(completion.statusName()).isEqualTo("WR_FLUSH_ERR");
        assertThat(completion.opcode()).isEqualTo(opcode);
        assertThat(completion.qpNumber()).isEqualTo(QPN);
    }

    @Test
    void flushesWhatTheKernelHasNotTakenAndWhatIsPostedLater() throws Exception {
        SiwSendRing ring = sends(false);
        for (int i = 0; i < 3; i++) {
            ring.put(Views.of(inline(i, 0)));
        }
        ring.publish();
        memory().putShort(8, (short) 0);
        ring.fail();
        ring.fail();
        ring.put(Views.of(new SendWorkRequest(1).wrId(3).rdmaWrite(0, 0)));
        ring.put(Views.of(inline(4, 0)));
        assertThat(ring.publish()).isZero();
        assertThat(doorbells).isEqualTo(1);
        assertThat(ring.isFull()).isTrue();
        WorkCompletion[] into = WorkCompletion.array(3);
        assertThat(completions.poll(into, Views.SINK)).isEqualTo(3);
        assertFlushed(into[0], 1, WorkCompletionOpcode.SEND);
        assertFlushed(into[1], 2, WorkCompletionOpcode.SEND);
        assertFlushed(into[2], 3, WorkCompletionOpcode.RDMA_WRITE);
        assertThat(ring.isFull()).isFalse();
        assertThat(completions.poll(into, Views.SINK)).isEqualTo(1);
        assertFlushed(into[0], 4, WorkCompletionOpcode.SEND);
        assertThat(completions.poll(into, Views.SINK)).isZero();
    }

    @Test
    void flushesAFullQueueFromItsOldestRequest() throws Exception {
        SiwSendRing ring = sends(false);
        for (int i = 0; i < COUNT + 2; i++) {
            memory().putShort(i % COUNT * SendElement.BYTES + 8, (short) 0);
            ring.put(Views.of(inline(i, 0)));
            ring.publish();
        }
        assertThat(ring.isFull()).isTrue();
        ring.fail();
        WorkCompletion[] into = WorkCompletion.array(COUNT + 1);
        assertThat(completions.poll(into, Views.SINK)).isEqualTo(COUNT);
        assertThat(into[0].wrId()).isEqualTo(2);
        assertThat(into[COUNT - 1].wrId()).isEqualTo(5);
    }

    @Test
    void flushesReceivesUntilTheQueuePairIsForgotten() throws Exception {
        SiwSendRing sends = sends(false);
        SiwReceiveRing ring = new SiwReceiveRing(SiwRing.map(device, 0, COUNT, ReceiveElement.BYTES, 0), 6);
        SiwQueueRings both = new SiwQueueRings(sends, ring, completions);
        assertThat(both.fail()).isTrue();
        ring.put(Views.of(new ReceiveWorkRequest(0).wrId(8)));
        ring.put(Views.of(new ReceiveWorkRequest(0).wrId(9)));
        WorkCompletion[] one = WorkCompletion.array(1);
        assertThat(completions.poll(one, Views.SINK)).isEqualTo(1);
        assertFlushed(one[0], 8, WorkCompletionOpcode.RECV);
        assertThatThrownBy(() -> completions.poll(new WorkCompletion[1], Views.SINK))
                .isInstanceOf(NullPointerException.class);
        completions.forget(both);
        assertThat(completions.poll(one, Views.SINK)).isZero();
    }

    @Test
    void aQueueOfNothingIsFull() throws Exception {
        SiwReceiveRing none = new SiwReceiveRing(SiwRing.map(device, 0, 0, ReceiveElement.BYTES, 0), 0);
        assertThat(none.isFull()).isTrue();
        none.retire(true);
    }

    @Test
    void refusesACountThatCannotBe() {
        assertThatThrownBy(() -> SiwRing.map(device, 0, -1, SendElement.BYTES, 0))
                .isInstanceOf(MalformedReplyException.class);
    }
}
