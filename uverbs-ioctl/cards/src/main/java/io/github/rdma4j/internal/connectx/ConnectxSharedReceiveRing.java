// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue of ConnectX. Its entries form a linked list, because they complete in any order: the device
 * follows the list, and completed entries are appended. The last entry of the list stays unused.
 *
 * <p>Any thread that polls a completion queue may free entries: it writes their numbers to {@link #freed} without a
 * lock, from where the producer takes them. After a page fault, which mlx5 reports, the poller reposts the receive
 * under the producer's lock.
 */
public final class ConnectxSharedReceiveRing implements SharedReceiveRing {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int COUNTER = 0xffff;

    private final QueueMemory memory;
    private final SharedReceiveSizes sizes;
    private final ByteBuffer ring;
    private final DoorbellWords record;
    private final long[] wrIds;

    /**
     * The next entry of the list, by entry. The ring contains the same numbers for the device, but other code could
     * overwrite the ring.
     */
    private final int[] following;

    /** 1 while a posted receive has not completed, by entry. */
    private final int[] posted;

    /** The numbers of completed entries, plus 1; 0 for no entry. */
    private final int[] freed;

    /** A circular buffer of entries that rest after a page fault; initially, the entries outside the list. */
    private final int[] resting;

    /** The index of the entry that has rested longest. */
    private int longest;

    private final AtomicInteger freedTail = new AtomicInteger();
    private int freedHead;

    /** The entry to fill next. */
    private int head;

    /** The last entry of the list, which stays unused. */
    private int tail;

    private int counter;

    /** The number of receives that {@link #counter} counts more than once. */
    private int repeated;

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
        this.memory = memory;
        this.sizes = sizes;
        this.ring = memory.bytes().duplicate().order(ByteOrder.BIG_ENDIAN);
        this.record = DoorbellWords.of(memory);
        this.xrc = xrc;
        this.wrIds = new long[sizes.all()];
        this.posted = new int[sizes.all()];
        this.freed = new int[sizes.all()];
        this.following = IntStream.rangeClosed(1, sizes.all()).toArray();
        this.resting = IntStream.range(sizes.entries(), sizes.all()).toArray();
        this.tail = sizes.entries() - 1;
    }

    @Override
    public int capacity() {
        return sizes.entries() - 1;
    }

    @Override
    public int maxSge() {
        return sizes.maxSge();
    }

    @Override
    public boolean isFull(int limit) {
        if (isShort(limit)) {
            takeFreed();
        }
        return isShort(limit);
    }

    private boolean isShort(int limit) {
        return counter - repeated - freedHead >= limit || head == tail;
    }

    /** Appends the completed entries to the list, in the order of completion. */
    private void takeFreed() {
        int mask = sizes.all() - 1;
        int entry = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        while (entry >= 0) {
            freed[freedHead++ & mask] = 0;
            append(entry);
            entry = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        }
    }

    private void append(int entry) {
        ring.putShort((tail << sizes.shift()) + SrqNextSeg.NEXT_WQE_INDEX, (short) entry);
        following[tail] = entry;
        tail = entry;
    }

    @Override
    public void put(ReceiveView request) {
        ReceiveSegments.put(ring, segments(head), request, sizes.maxSge(), Codes.INVALID_LKEY);
        wrIds[head] = request.wrId();
        showHead();
    }

    private void showHead() {
        INT.setRelease(posted, head, 1);
        head = following[head];
        counter++;
        record.releaseFirst(counter & COUNTER);
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
            takeFreed();
            append(rest(entry));
            wrIds[head] = wrIds[entry];
            ring.put(segments(head), ring, segments(entry), (1 << sizes.shift()) - SrqNextSeg.BYTES);
            repeated++;
            showHead();
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

    /** Marks the receive at {@code entry} as completed; returns true once for each receive. Poller only. */
    public boolean completes(int entry) {
        return entry < sizes.all() && INT.compareAndSet(posted, entry, 1, 0);
    }

    long wrId(int entry) {
        return wrIds[entry];
    }

    /** Frees the entry, after {@link #completes} and after the last use of {@link #wrId}. Poller only. */
    void free(int entry) {
        int at = freedTail.getAndIncrement() & (sizes.all() - 1);
        INT.setRelease(freed, at, entry + 1);
    }

    @Override
    public void retire(boolean destroyed) {
        if (destroyed && xrc != null) {
            xrc.numbers().remove(xrc.number(), this);
        }
        memory.release(destroyed);
    }
}
