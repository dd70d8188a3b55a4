// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.OrderedReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/** The receive queue of a queue pair. The doorbell of each receive is its first eight bytes. */
final class ErdmaReceiveRing extends OrderedReceiveRing {
    private static final int ADDRESS = 16;
    private static final int LENGTH_AND_KEY = 24;

    private final ByteBuffer ring;
    private final int mask;
    private final int qpn;
    private final DoorbellRecords.Slot record;
    private final ErdmaDoorbells.Bell bell;
    /** The number of receives visible to the device, written by the producer. */
    private final AtomicInteger shown = new AtomicInteger();

    /** True if the queue pair is in ERR: the device no longer checks the doorbell. */
    private volatile boolean failed;

    /** True if the device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** True if the device completes further receives only by a flush, which it may already have written. */
    private volatile boolean ended;

    /** Creates a ring that fills {@code memory}, with a power of two of receives. */
    ErdmaReceiveRing(ByteBuffer memory, int maxSge, int qpn, DoorbellRecords.Slot record, ErdmaDoorbells.Bell bell) {
        super(memory.capacity() >> Elements.BLOCK_SHIFT, memory.capacity() >> Elements.BLOCK_SHIFT, maxSge);
        this.ring = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.mask = capacity() - 1;
        this.qpn = qpn;
        this.record = record;
        this.bell = bell;
    }

    @Override
    public void put(ReceiveView request) {
        int pieces = request.numSge();
        ReceiveRing.requireRoom(pieces, Elements.MOST_RECEIVE_PIECES);
        int entry = count() & mask;
        int next = count() + 1;
        if (failedByDevice && isIdle()) {
            ended = true; // the device had nothing left to flush
        }
        int at = entry << Elements.BLOCK_SHIFT;
        long first = (long) qpn << SendHeader.QPN_SHIFT | (next & SendHeader.INDEX_MASK);
        long lengthAndKey =
                pieces == 0 ? 0 : (long) request.lkey(0) << Integer.SIZE | Integer.toUnsignedLong(request.length(0));
        ring.putLong(at, first);
        ring.putLong(at + Long.BYTES, 0);
        ring.putLong(at + ADDRESS, pieces == 0 ? 0 : request.iova(0));
        ring.putLong(at + LENGTH_AND_KEY, lengthAndKey);
        post(entry, request.wrId());
        if (!failed) {
            shown.setRelease(next);
            record.releaseLong(1, first);
            bell.ring(first);
        }
    }

    /** Called when the device no longer checks the doorbell. */
    void fail() {
        failed = true;
    }

    // ---- the poller

    /** Called when the device has completed a request of the queue pair with an error. */
    void failByDevice() {
        failedByDevice = true;
    }

    /**
     * Called when the device has completed a receive with an error: it flushes the others, if it completes them at all.
     */
    void end() {
        ended = true;
    }

    /** The entry for the {@code index} of a completion; -1 unless it is the entry of the oldest receive. */
    int entryOf(int index) {
        int oldest = doneCount();
        return (index - oldest & mask) == 0 && shown.getAcquire() - oldest > 0 ? oldest & mask : NONE;
    }

    /** The next receive to flush in place of the device; -1 for none, or if older receives are still to complete. */
    int nextToFlush() {
        int oldest = doneCount();
        boolean waits = !(failed && ended) && shown.getAcquire() - oldest > 0;
        return waits || postedCount() == oldest ? NONE : oldest & mask;
    }
}
