// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import io.github.rdma4j.internal.provider.ReceiveRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/** The receive queue of a queue pair. Each receive has a doorbell: its first eight bytes. */
final class ErdmaReceiveRing implements ReceiveRing {
    private static final int NONE = -1;
    private static final int ADDRESS = 16;
    private static final int LENGTH_AND_KEY = 24;

    private final ByteBuffer ring;
    private final int mask;
    private final int maxSge;
    private final int qpn;
    private final DoorbellRecord record;
    private final ErdmaDoorbells.Bell bell;
    private final long[] wrIds;

    /** The number of posted receives, written by the producer. */
    private final AtomicInteger head = new AtomicInteger();

    /** The number of receives that the device knows, written by the producer. */
    private final AtomicInteger shown = new AtomicInteger();

    /** The number of completed receives, written by the poller. */
    private final AtomicInteger done = new AtomicInteger();

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /** True when the queue pair is in ERR: the device no longer looks at the doorbell. */
    private volatile boolean failed;

    /** The device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** The device completes no receive any more but by a flush, which it may have written already. */
    private volatile boolean ended;

    /** A ring in {@code memory}, which is whole and a power of two of receives. */
    ErdmaReceiveRing(ByteBuffer memory, int maxSge, int qpn, DoorbellRecord record, ErdmaDoorbells.Bell bell) {
        int entries = memory.capacity() >> Elements.BLOCK_SHIFT;
        this.ring = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.mask = entries - 1;
        this.maxSge = maxSge;
        this.qpn = qpn;
        this.record = record;
        this.bell = bell;
        this.wrIds = new long[entries];
    }

    @Override
    public int capacity() {
        return mask + 1;
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public boolean isFull(int limit) {
        if (head.getPlain() - seenDone < limit) {
            return false;
        }
        seenDone = done.getAcquire();
        return head.getPlain() - seenDone >= limit;
    }

    @Override
    public void put(ReceiveView request) {
        int pieces = request.numSge();
        if (pieces > Elements.MOST_RECEIVE_PIECES) {
            throw new IllegalArgumentException("the work request grew while it was posted: to " + pieces
                    + " pieces where the queue takes " + Elements.MOST_RECEIVE_PIECES);
        }
        int entry = head.getPlain() & mask;
        int next = head.getPlain() + 1;
        if (failedByDevice && done.getAcquire() == head.getPlain()) {
            ended = true; // nothing was left for the device to flush
        }
        int at = entry << Elements.BLOCK_SHIFT;
        long first = (long) qpn << SendHeader.QPN_SHIFT | (next & SendHeader.INDEX_MASK);
        long lengthAndKey =
                pieces == 0 ? 0 : (long) request.lkey(0) << Integer.SIZE | Integer.toUnsignedLong(request.length(0));
        ring.putLong(at, first);
        ring.putLong(at + Long.BYTES, 0);
        ring.putLong(at + ADDRESS, pieces == 0 ? 0 : request.iova(0));
        ring.putLong(at + LENGTH_AND_KEY, lengthAndKey);
        wrIds[entry] = request.wrId();
        head.setRelease(next);
        if (!failed) {
            shown.setRelease(next);
            record.releaseSecond(first);
            bell.ring(first);
        }
    }

    /** The device no longer looks at the doorbell. */
    void fail() {
        failed = true;
    }

    // ---- the poller

    /** The device has completed a request of the queue pair with an error. */
    void failByDevice() {
        failedByDevice = true;
    }

    /** The device has completed a receive with an error: if it completes any other, it flushes it. */
    void end() {
        ended = true;
    }

    /** The entry that a completion names by {@code index}; -1 unless this is the entry of the oldest receive. */
    int entryOf(int index) {
        int oldest = done.getPlain();
        return (index - oldest & mask) == 0 && shown.getAcquire() - oldest > 0 ? oldest & mask : NONE;
    }

    long wrId(int entry) {
        return wrIds[entry];
    }

    /** Makes room for one receive. */
    void finishOne() {
        done.setRelease(done.getPlain() + 1);
    }

    /** The next receive to flush in place of the device; -1 for none, or while the device has older ones to complete. */
    int nextToFlush() {
        int oldest = done.getPlain();
        boolean waits = !(failed && ended) && shown.getAcquire() - oldest > 0;
        return waits || head.getAcquire() == oldest ? NONE : oldest & mask;
    }
}
