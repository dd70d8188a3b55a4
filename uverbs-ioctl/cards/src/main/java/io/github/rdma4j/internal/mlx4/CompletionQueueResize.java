// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.ResizeCq;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The driver's part of RESIZE_CQ: a new ring, to which the device moves during the command. A special entry is the last
 * that the device writes to the old ring.
 *
 * @param ring the completion queue
 * @param to the new ring
 * @param memory the memory of the new ring
 */
record CompletionQueueResize(Movable ring, Entries to, RingMemory memory)
        implements Creation<Created.Cq, CompletionRing> {
    /** A completion queue that the device may move to another ring. */
    interface Movable extends CompletionRing {
        /** The number of entries that the device has written and that have not been polled. */
        int unpolled();

        /** Prepares an empty ring, in which the device continues. */
        void prepareFor(Entries to);

        /**
         * Moves the entries to the ring that the device now writes to.
         *
         * @return false if the device has not left the old ring, or has left more entries than the new ring holds
         */
        boolean moveTo(Entries to, RingMemory memory);
    }

    /**
     * Prepares a ring of {@code entries}, a power of two. The kernel does nothing if the queue already has that size.
     */
    static Creation<Created.Cq, CompletionRing> prepare(Mlx4Parts parts, Movable ring, int entries)
            throws RdmaException {
        if (entries == ring.capacity() + 1) {
            return Creation.of(DriverExchange.of(ResizeCq.BYTES, 0), granted -> ring);
        }
        int waiting = ring.unpolled();
        if (waiting >= entries) {
            throw new ErrnoException(
                    "RESIZE_CQ of mlx4",
                    Errno.EINVAL,
                    "the queue has " + waiting + " completions; " + (entries - 1) + " entries are asked for");
        }
        RingMemory memory = parts.shared().device().allocate(entries << parts.entryShift(), "mlx4 completion ring");
        Entries to = parts.entries(memory.buffer(), entries);
        ring.prepareFor(to);
        return new CompletionQueueResize(ring, to, memory);
    }

    @Override
    public int requestBytes() {
        return ResizeCq.BYTES;
    }

    @Override
    public void writeRequest(DriverRequest request) {
        request.putAddress(ResizeCq.BUF_ADDR, memory, 0);
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        if (granted.cqe() != to.count() - 1 || !ring.moveTo(to, memory)) {
            throw new MalformedReplyException("RESIZE_CQ of mlx4, cqe " + granted.cqe(), 0, Integer.BYTES);
        }
        return ring;
    }

    /** Retires the new ring. Late writes of the device are harmless, because the kernel holds the memory. */
    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
    }
}
