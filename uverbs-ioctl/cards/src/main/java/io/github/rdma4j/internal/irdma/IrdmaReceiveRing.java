// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.OrderedReceiveRing;

/**
 * The receive queue of a queue pair: elements of one size. There is no doorbell: the device checks whether the next
 * element is valid.
 */
final class IrdmaReceiveRing extends OrderedReceiveRing {
    private final ReceiveElements elements;
    private final int mask;

    /**
     * The value of {@link #count} when the queue pair was moved to ERR: the device completes the receives before it.
     */
    private int owed;

    private volatile boolean failed;

    /** True if the device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** True if the device completes further receives only by a flush, which it may already have written. */
    private volatile boolean ended;

    /** Creates a ring of {@code entries}, a power of two, of which one stays unused. */
    IrdmaReceiveRing(ReceiveElements elements, int entries) {
        super(entries, entries - 1, elements.maxSge());
        this.elements = elements;
        this.mask = entries - 1;
    }

    @Override
    public void put(ReceiveView request) {
        int next = count();
        if (failedByDevice && isIdle()) {
            ended = true; // the device had nothing left to flush
        }
        int entry = next & mask;
        long header = elements.put(entry, request, 0);
        post(entry, request.wrId());
        elements.makeValid(entry, header);
    }

    /** Called when the queue pair is moved to ERR. */
    void fail() {
        owed = count();
        failed = true;
    }

    /** Discards the posted receives. */
    void reset() {
        skipPosted();
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

    /** The element that starts at {@code quantum}; -1 unless it is the element of the oldest receive. */
    int entryOf(int quantum) {
        int oldest = oldest();
        return oldest << elements.shift() == quantum ? oldest : NONE;
    }

    /** The element of the oldest receive; -1 if there is none. */
    int oldest() {
        int oldest = doneCount();
        return postedCount() - oldest > 0 ? oldest & mask : NONE;
    }

    /** The next receive to flush in place of the device; -1 for none, or if older receives are still to complete. */
    int nextToFlush() {
        return failed && (ended || owed - doneCount() <= 0) ? oldest() : NONE;
    }
}
