// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.TaggedReceiveRing;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue of ConnectX. The list of its entries is also in the ring, where the device follows it. (The
 * process does not read it there, because other code could overwrite the ring.)
 *
 * <p>After a page fault, which mlx5 reports, the poller reposts the receive under the producer's lock.
 */
public final class ConnectxSharedReceiveRing extends TaggedReceiveRing {
    private static final int COUNTER = 0xffff;

    private final QueueMemory memory;
    private final SharedReceiveSizes sizes;
    private final ByteBuffer ring;
    private final DoorbellRecords.Slot record;

    /** A circular buffer of entries that rest after a page fault; initially, the entries outside the list. */
    private final int[] resting;

    /** The index of the entry that has rested longest. */
    private int longest;

    private int counter;

    /** The lock of the producers. */
    private ProducerLock lock = ProducerLock.NONE;

    /** Null unless the queue belongs to an XRC domain. */
    private final @Nullable Xrc xrc;

    /**
     * The properties that a completion of an XRC queue must match.
     *
     * @param number the number of the queue in completions: the user index, or the number of the queue
     * @param cq the completion queue of receives
     * @param numbers the queues of the context
     */
    private record Xrc(int number, CompletionRing cq, QueueNumbers<ConnectxSharedReceiveRing> numbers) {}

    /**
     * Creates a ring without receives, whose entries the driver has linked to a list.
     *
     * @param number the number of the queue in completions
     * @param cq the completion queue of receives of an XRC queue; null for other queues
     * @param numbers the XRC queues, in which the ring is registered if it is one
     */
    public static ConnectxSharedReceiveRing of(
            SharedReceiveSizes sizes,
            QueueMemory memory,
            int number,
            @Nullable CompletionRing cq,
            QueueNumbers<ConnectxSharedReceiveRing> numbers)
            throws MalformedReplyException {
        if (cq == null) {
            return new ConnectxSharedReceiveRing(sizes, memory, null);
        }
        ConnectxSharedReceiveRing ring = new ConnectxSharedReceiveRing(sizes, memory, new Xrc(number, cq, numbers));
        numbers.table().put(number, ring);
        return ring;
    }

    private ConnectxSharedReceiveRing(SharedReceiveSizes sizes, QueueMemory memory, @Nullable Xrc xrc) {
        super(sizes.all(), sizes.entries(), sizes.maxSge());
        this.memory = memory;
        this.sizes = sizes;
        this.ring = memory.bytes().duplicate().order(ByteOrder.BIG_ENDIAN);
        this.record = memory.slot();
        this.xrc = xrc;
        this.resting = IntStream.range(sizes.entries(), sizes.all()).toArray();
    }

    @Override
    protected void link(int last, int next) {
        sizes.link(ring, last, next);
    }

    @Override
    public void put(ReceiveView request) {
        ReceiveSegments.put(ring, segments(nextTag()), request, maxSge());
        show(request.wrId());
    }

    private void show(long wrId) {
        post(wrId);
        counter++;
        record.releaseInt(0, counter & COUNTER);
    }

    @Override
    public void lockedBy(ProducerLock value) {
        lock = value;
    }

    /**
     * Reposts the receive at {@code entry} after a page fault, during which the device has written nothing. Poller
     * only, after {@link #completes}.
     */
    public void postAgain(int entry) {
        lock.lock();
        try {
            appendForRepost(rest(entry));
            ring.put(segments(nextTag()), ring, segments(entry), (1 << sizes.shift()) - SrqNextSeg.BYTES);
            show(wrId(entry));
        } finally {
            lock.unlock();
        }
    }

    private int segments(int entry) {
        return (entry << sizes.shift()) + SrqNextSeg.BYTES;
    }

    /** Returns the entry that has rested longest, and lets {@code entry} rest in its place. */
    private int rest(int entry) {
        if (resting.length == 0) {
            return entry;
        }
        int rested = resting[longest];
        resting[longest] = entry;
        longest = (longest + 1) % resting.length;
        return rested;
    }

    /** True if all receives complete in {@code cq}, whatever the queue pair. */
    boolean completesIn(CompletionRing cq) {
        return xrc != null && xrc.cq() == cq;
    }

    @Override
    public void retire(boolean destroyed) {
        if (destroyed && xrc != null) {
            xrc.numbers().remove(xrc.number(), this);
        }
        memory.release(destroyed);
    }
}
