// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.WcFlags;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.CompletionRing;
import io.github.rdma4j.verbs.provider.CompletionSink;
import io.github.rdma4j.verbs.provider.Created;
import io.github.rdma4j.verbs.provider.Creation;
import java.nio.ByteBuffer;

/** The completion queue of soft-RoCE: the kernel produces {@code struct ib_uverbs_wc}, we consume. */
final class RxeCompletionRing implements CompletionRing {
    private RxeQueue queue;
    private volatile int capacity;
    private final Driver driver;
    private int head;

    /** {@code IB_WC_WITH_INVALIDATE} of rdma/ib_verbs.h, where libibverbs has {@code IBV_WC_IP_CSUM_OK}, which rxe lacks. */
    private static final int KERNEL_WITH_INVALIDATE = 1 << 2;

    /** What the ring asks of the kernel. */
    interface Driver {
        /** Asks for an event. */
        void arm(boolean solicitedOnly) throws RdmaException;

        /** Maps the ring that {@code driverReply} names. */
        RxeQueue map(ByteBuffer driverReply) throws RdmaException;
    }

    /** For {@code granted} completions, unless the ring is smaller. */
    RxeCompletionRing(RxeQueue queue, int granted, Driver driver) {
        this.queue = queue;
        this.capacity = Math.min(granted, queue.capacity());
        this.driver = driver;
        this.head = queue.consumer();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int tail = queue.producer();
        if (head == tail) {
            return 0;
        }
        int polled = 0;
        while (head != tail && polled < into.length && into[polled] != null) {
            read(queue.slot(head), into[polled++], sink);
            head = queue.next(head);
        }
        if (polled == 0 && into.length > 0) {
            throw new NullPointerException("no WorkCompletion at index 0: make the array with WorkCompletion.array(n)");
        }
        queue.releaseConsumer(head);
        return polled;
    }

    private <C> void read(int entry, C into, CompletionSink<C> sink) {
        ByteBuffer memory = queue.memory();
        sink.setResult(
                into,
                memory.getLong(entry + WorkCompletionLayout.WR_ID),
                memory.getInt(entry + WorkCompletionLayout.STATUS),
                memory.getInt(entry + WorkCompletionLayout.OPCODE),
                memory.getInt(entry + WorkCompletionLayout.QP_NUM));
        sink.setPayload(
                into,
                memory.getInt(entry + WorkCompletionLayout.BYTE_LEN),
                memory.getInt(entry + WorkCompletionLayout.IMM_DATA),
                flags(memory.getInt(entry + WorkCompletionLayout.WC_FLAGS)),
                memory.getInt(entry + WorkCompletionLayout.VENDOR_ERR));
        sink.setSource(
                into,
                memory.getInt(entry + WorkCompletionLayout.SRC_QP),
                StructFields.getU16(memory, entry + WorkCompletionLayout.PKEY_INDEX));
    }

    /** As libibverbs numbers them: the driver writes the kernel's own number for the flag of an invalidated key. */
    private static int flags(int written) {
        return (written & KERNEL_WITH_INVALIDATE) == 0
                ? written
                : (written & ~KERNEL_WITH_INVALIDATE) | WcFlags.IBV_WC_WITH_INV;
    }

    @Override
    public void arm(boolean solicitedOnly) throws RdmaException {
        driver.arm(solicitedOnly);
    }

    /** The kernel moves the completions that nobody has taken to the beginning of a ring of another size. */
    @Override
    public Creation<Created.Cq, CompletionRing> resize(int entries) {
        return Creation.of(CreateCqResp.BYTES, granted -> {
            RxeQueue larger = driver.map(granted.driverReply());
            queue.retire();
            queue = larger;
            capacity = Math.min(granted.cqe(), larger.capacity());
            head = larger.consumer();
            return this;
        });
    }

    @Override
    public void retire(boolean destroyed) {
        queue.retire();
    }
}
