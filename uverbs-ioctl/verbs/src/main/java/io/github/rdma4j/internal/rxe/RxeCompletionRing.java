// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.rxe.RxeAbi.CreateCqResp;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/** The completion queue of soft-RoCE: the kernel produces {@code struct ib_uverbs_wc}, the process consumes. */
final class RxeCompletionRing implements CompletionRing {
    private static final int LENGTH = Words.index(WorkCompletionLayout.VENDOR_ERR);
    private static final int DATA = Words.index(WorkCompletionLayout.IMM_DATA);
    private static final int SOURCE = Words.index(WorkCompletionLayout.SRC_QP);

    private RxeQueue queue;

    /** The memory of {@link #queue}. */
    private LongBuffer words;

    private volatile int capacity;
    private final Driver driver;
    private int head;

    /**
     * {@code IB_WC_WITH_INVALIDATE} of rdma/ib_verbs.h, the bit that is {@code IBV_WC_IP_CSUM_OK} in libibverbs, which
     * rxe does not support.
     */
    private static final long KERNEL_WITH_INVALIDATE = Words.pair(0, 1 << 2);

    /** The kernel calls of the ring. */
    interface Driver {
        /** Requests an event. */
        void arm(boolean solicitedOnly) throws RdmaException;

        /** Maps the ring that {@code driverReply} names. */
        RxeQueue map(ByteBuffer driverReply) throws RdmaException;
    }

    /** Creates a ring for {@code granted} completions, or fewer if the ring is smaller. */
    RxeCompletionRing(RxeQueue queue, int granted, Driver driver) {
        this.queue = queue;
        this.words = Words.of(queue.memory());
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
        int from = head;
        int tail = queue.producer();
        if (from == tail) {
            return 0;
        }
        RxeQueue ring = queue;
        LongBuffer memory = words;
        int next = from;
        int polled = 0;
        for (; next != tail && polled < into.length; polled++) {
            C completion = into[polled];
            if (completion == null) {
                break;
            }
            read(memory, Words.index(ring.slot(next)), completion, sink);
            next = ring.next(next);
        }
        if (polled == 0 && into.length > 0) {
            throw CompletionRing.noFirstElement();
        }
        head = next;
        ring.releaseConsumer(next);
        return polled;
    }

    private static <C> void read(LongBuffer memory, int entry, C into, CompletionSink<C> sink) {
        sink.copy(into, memory, entry);
        long source = memory.get(entry + SOURCE);
        if ((source & KERNEL_WITH_INVALIDATE) != 0) {
            int flags = Words.second(source & ~KERNEL_WITH_INVALIDATE) | WcFlags.IBV_WC_WITH_INV;
            long length = memory.get(entry + LENGTH);
            sink.setPayload(
                    into, Words.second(length), Words.first(memory.get(entry + DATA)), flags, Words.first(length));
        }
    }

    @Override
    public void arm(boolean solicitedOnly) throws RdmaException {
        driver.arm(solicitedOnly);
    }

    /** The kernel moves the completions not yet polled to the start of the resized ring. */
    @Override
    public Creation<Created.Cq, CompletionRing> resize(int entries) {
        return Creation.of(CreateCqResp.BYTES, granted -> {
            RxeQueue larger = driver.map(granted.driverReply());
            RxeQueue old = queue;
            queue = larger;
            words = Words.of(larger.memory());
            capacity = Math.min(granted.cqe(), larger.capacity());
            head = larger.consumer();
            old.retire();
            return this;
        });
    }

    @Override
    public void retire(boolean destroyed) {
        queue.retire();
    }
}
