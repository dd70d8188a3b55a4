// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A log of the elements of a send ring. The producer writes the log; the poller of the completion queue reads the
 * published part.
 */
final class SendLog {
    static final int NONE = -1;

    private static final int SIGNALED = 1 << 8;
    private static final int OPCODE_MASK = 0xff;

    private final long[] wrIds;

    /** By element: its bytes, whether it completes for the program, and the opcode of its completion. */
    private final long[] shapes;

    /** The number of elements that the device may take. */
    private final AtomicInteger published = new AtomicInteger();

    /** The number of elements that the device has finished. */
    private final AtomicInteger done;

    /** The oldest element that the device has not finished; poller only. */
    private int oldest;

    /** Creates a log with {@code names} names, which are used cyclically. The ring reads {@code done}. */
    SendLog(int names, AtomicInteger done) {
        this.done = done;
        this.wrIds = new long[names];
        this.shapes = new long[names];
    }

    // ---- the producer

    int after(int name) {
        return name + 1 == wrIds.length ? 0 : name + 1;
    }

    void remember(int name, long wrId) {
        wrIds[name] = wrId;
    }

    void put(int name, int length, int opcode, boolean signaled) {
        shapes[name] = (long) length << Integer.SIZE | (signaled ? SIGNALED : 0) | opcode;
    }

    void publish(int count) {
        published.setRelease(count);
    }

    /** Discards the posted requests, and restarts the names. */
    void reset() {
        oldest = 0;
        done.setRelease(published.getPlain());
    }

    // ---- the poller

    /** The oldest element; -1 if the device has none. */
    int oldest() {
        return published.getAcquire() - done.getPlain() > 0 ? oldest : NONE;
    }

    /** The name of the element after the last finished element, from the {@code index} of a completion. */
    int end(int index) {
        int names = wrIds.length;
        // rarely out of range: a division costs a third of a poll
        return index >= 0 && index < names ? index : Integer.remainderUnsigned(index, names);
    }

    /** True if the device may have finished all elements before {@code end}, at least one. */
    boolean covers(int end) {
        int count = end - oldest;
        count += count <= 0 ? wrIds.length : 0;
        return count <= published.getAcquire() - done.getPlain();
    }

    long wrId(int element) {
        return wrIds[element];
    }

    boolean isSignaled(int element) {
        return ((int) shapes[element] & SIGNALED) != 0;
    }

    /** The opcode of the element's completion, {@code IBV_WC_*}. */
    int opcode(int element) {
        return (int) shapes[element] & OPCODE_MASK;
    }

    int length(int element) {
        return (int) (shapes[element] >>> Integer.SIZE);
    }

    /** Frees the oldest element; returns the next. */
    int finishOldest() {
        oldest = after(oldest);
        done.setRelease(done.getPlain() + 1);
        return oldest;
    }
}
