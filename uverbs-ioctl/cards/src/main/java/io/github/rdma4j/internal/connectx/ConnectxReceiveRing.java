// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.connectx.RingSizes.ReceiveSizes;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.OrderedReceiveRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The receive queue of a queue pair. The device takes and completes the entries in order, and needs no doorbell except
 * the record.
 */
public final class ConnectxReceiveRing extends OrderedReceiveRing {
    private static final int COUNTER = 0xffff;

    private final ReceiveSizes sizes;
    private final ByteBuffer ring;
    private final DoorbellRecords.Slot record;

    /** Creates a ring without receives, which fills {@code memory}. */
    public ConnectxReceiveRing(ReceiveSizes sizes, ByteBuffer memory, DoorbellRecords.Slot record) {
        super(sizes.entries(), sizes.entries(), sizes.maxSge());
        this.sizes = sizes;
        this.ring = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.record = record;
    }

    @Override
    public void put(ReceiveView request) {
        int entry = count() & (sizes.entries() - 1);
        ReceiveSegments.put(ring, entry << sizes.shift(), request, maxSge());
        record.releaseInt(0, post(entry, request.wrId()) & COUNTER);
    }

    /** The entry of the oldest receive, which completes next; -1 for none. Poller only. */
    public int oldest() {
        int oldest = doneCount();
        return postedCount() != oldest ? oldest & (sizes.entries() - 1) : NONE;
    }

    /**
     * The entry for the {@code counter} of a completion; -1 unless it is the entry of the oldest receive. Poller only.
     */
    public int entryOf(int counter) {
        return (counter - doneCount() & COUNTER) == 0 ? oldest() : NONE;
    }

    /** Forgets the posted requests. No other thread may post or poll at the same time. */
    void reset() {
        restart();
    }
}
