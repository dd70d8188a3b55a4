// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.ResizeCq;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The driver's part of RESIZE_CQ: a new ring, to which the device moves soon after the command. A cut-off entry is the
 * last entry that the device writes to the old ring.
 *
 * @param parts the shared parts of the device
 * @param ring the completion queue
 * @param next the new ring
 * @param deferred true if the consumer index is reported after half of the new ring
 */
record CompletionQueueResize(BnxtParts parts, BnxtCompletionRing ring, CompletionEntries next, boolean deferred)
        implements Creation<Created.Cq, CompletionRing> {
    private static final int FIRST_PHASE = 1;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    static CompletionQueueResize prepare(BnxtParts parts, BnxtCompletionRing ring, int asked) throws RdmaException {
        int entries = parts.sizes().completions(asked);
        if (entries == ring.entries()) {
            throw new ErrnoException(
                    "RESIZE_CQ of bnxt_re",
                    Errno.EINVAL,
                    "the queue has a ring of " + entries + " entries already, which is the size for the request");
        }
        CompletionEntries next = new CompletionEntries(
                parts.device().allocate(entries << Entry.SHIFT, "bnxt_re completion ring"), entries, FIRST_PHASE);
        return new CompletionQueueResize(parts, ring, next, parts.sizes().isDeferred(asked));
    }

    @Override
    public int requestBytes() {
        return ResizeCq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(ResizeCq.CQ_VA, next.memory(), 0);
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws RdmaException {
        long start = System.nanoTime();
        while (!ring.keepEntries()) {
            if (System.nanoTime() - start > MOST_NANOS) {
                throw new ErrnoException(
                        "RESIZE_CQ of bnxt_re",
                        Errno.EIO,
                        "the device continues in the old ring; close the completion queue");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        parts.device().leaveOldRing(ring.handle());
        ring.moveTo(next, deferred);
        return ring;
    }

    /** Retires the new ring. Late writes of the device are harmless, because the kernel holds the memory. */
    @Override
    public void abandon(boolean destroyed) {
        next.memory().retire();
    }
}
