// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.ResizeCq;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The driver's part of RESIZE_CQ: a new ring, to which the device moves during the command. The last entry that the
 * device writes to the old ring says so.
 *
 * @param ring the completion queue
 * @param to the new ring
 */
record CompletionQueueResize(Mlx4CompletionRing ring, Entries to) implements Creation<Created.Cq, CompletionRing> {
    /**
     * Prepares a ring of {@code entries}, a power of two. The kernel does nothing when the queue has that size already.
     */
    static Creation<Created.Cq, CompletionRing> prepare(Mlx4Context context, Mlx4CompletionRing ring, int entries)
            throws RdmaException {
        if (entries == ring.capacity() + 1) {
            return Creation.of(DriverExchange.of(ResizeCq.BYTES, 0), granted -> ring);
        }
        int waiting = ring.waiting();
        if (waiting >= entries) {
            throw new ErrnoException(
                    "RESIZE_CQ of mlx4",
                    Errno.EINVAL,
                    "the queue has " + waiting + " completions; " + (entries - 1) + " entries are asked for");
        }
        Entries to =
                Entries.of(context, context.allocate(entries << context.entryShift(), "mlx4 completion ring"), entries);
        ring.prepareMove(to);
        return new CompletionQueueResize(ring, to);
    }

    @Override
    public int requestBytes() {
        return ResizeCq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(ResizeCq.BUF_ADDR, to.memory(), 0);
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        if (granted.cqe() != to.count() - 1 || !ring.moveTo(to)) {
            throw new MalformedReplyException("RESIZE_CQ of mlx4, cqe " + granted.cqe(), 0, Integer.BYTES);
        }
        return ring;
    }

    /** The device may still write to the new ring, whose memory the kernel holds: it loses nothing by that. */
    @Override
    public void abandon(boolean destroyed) {
        to.memory().retire();
    }
}
