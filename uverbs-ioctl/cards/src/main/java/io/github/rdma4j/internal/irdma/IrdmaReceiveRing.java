// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.ReceiveRing;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The receive queue of a queue pair: elements of one size. There is no doorbell: the device looks whether the next element
 * is valid.
 */
final class IrdmaReceiveRing implements ReceiveRing {
    private static final int NONE = -1;

    private final ReceiveElements elements;
    private final int mask;
    private final long[] wrIds;

    /** The number of posted receives, written by the producer. */
    private final AtomicInteger head = new AtomicInteger();

    /** The number of completed receives, written by the poller. */
    private final AtomicInteger done = new AtomicInteger();

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /** The value of {@link #head} when the queue pair went to ERR: the device completes the receives up to this one. */
    private int owed;

    private volatile boolean failed;

    /** The device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** The device completes no receive any more but by a flush, which it may have written already. */
    private volatile boolean ended;

    /** A ring of {@code entries}, a power of two. */
    IrdmaReceiveRing(ReceiveElements elements, int entries) {
        this.elements = elements;
        this.mask = entries - 1;
        this.wrIds = new long[entries];
    }

    /** One element stays empty. */
    @Override
    public int capacity() {
        return mask;
    }

    @Override
    public int maxSge() {
        return elements.maxSge();
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
        int next = head.getPlain();
        if (failedByDevice && done.getAcquire() == next) {
            ended = true; // nothing was left for the device to flush
        }
        int entry = next & mask;
        long header = elements.put(entry, request, 0);
        wrIds[entry] = request.wrId();
        head.setRelease(next + 1);
        elements.makeValid(entry, header);
    }

    /** The queue pair goes to ERR. */
    void fail() {
        owed = head.getPlain();
        failed = true;
    }

    /** Nobody waits for the posted receives any more. */
    void reset() {
        done.setRelease(head.getPlain());
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
        int oldest = done.getPlain();
        return head.getAcquire() - oldest > 0 ? oldest & mask : NONE;
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
        return failed && (ended || owed - done.getPlain() <= 0) ? oldest() : NONE;
    }
}
