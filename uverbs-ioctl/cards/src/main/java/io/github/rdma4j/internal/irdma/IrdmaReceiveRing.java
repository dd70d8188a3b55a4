// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.OrderedReceiveRing;

/**
 * The receive queue of a queue pair: elements of one size. There is no doorbell: the device looks whether the next element
 * is valid.
 */
final class IrdmaReceiveRing extends OrderedReceiveRing {
    private final ReceiveElements elements;
    private final int mask;

    /** The value of {@link #count} when the queue pair went to ERR: the device completes the receives up to this one. */
    private int owed;

    private volatile boolean failed;

    /** The device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** The device completes no receive any more but by a flush, which it may have written already. */
    private volatile boolean ended;

    /** A ring of {@code entries}, a power of two, of which one stays empty. */
    IrdmaReceiveRing(ReceiveElements elements, int entries) {
        super(entries, entries - 1, elements.maxSge());
        this.elements = elements;
        this.mask = entries - 1;
    }

    @Override
    public void put(ReceiveView request) {
        int next = count();
        if (failedByDevice && isIdle()) {
            ended = true; // nothing was left for the device to flush
        }
        int entry = next & mask;
        long header = elements.put(entry, request, 0);
        post(entry, request.wrId());
        elements.makeValid(entry, header);
    }

    /** The queue pair goes to ERR. */
    void fail() {
        owed = count();
        failed = true;
    }

    /** Nobody waits for the posted receives any more. */
    void reset() {
        skipPosted();
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

    /** The element in which the device begins at {@code quantum}; -1 unless it is that of the oldest receive. */
    int entryOf(int quantum) {
        int oldest = oldest();
        return oldest << elements.shift() == quantum ? oldest : NONE;
    }

    /** The element of the oldest receive; -1 if there is none. */
    int oldest() {
        int oldest = doneCount();
        return postedCount() - oldest > 0 ? oldest & mask : NONE;
    }

    /** The next receive to flush in place of the device; -1 for none, or while the device has older ones to complete. */
    int nextToFlush() {
        return failed && (ended || owed - doneCount() <= 0) ? oldest() : NONE;
    }
}
