// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the process knows of the elements of a send ring. The producer writes it, and the poller of the completion queue reads what
 * was published.
 */
final class SendLog {
    static final int NONE = -1;

    private static final int SIGNALED = 1 << 8;
    private static final int OPCODE_MASK = 0xff;

    private final long[] wrIds;

    /** The bytes of an element; whether it completes for the program; what a completion says that it did. */
    private final long[] shapes;

    /** Elements that the device may take. */
    private final AtomicInteger published = new AtomicInteger();

    /** Elements that the device has finished with. */
    private final AtomicInteger done;

    /** The oldest element that the device has not finished with; the poller's. */
    private int oldest;

    /** A log of elements with {@code names} names, which are used in turn. The ring reads {@code done}. */
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

    /** Nobody waits for the posted requests any more, and names begin anew. */
    void reset() {
        oldest = 0;
        done.setRelease(published.getPlain());
    }

    // ---- the poller

    /** The oldest element; -1 if the device has none. */
    int oldest() {
        return published.getAcquire() - done.getPlain() > 0 ? oldest : NONE;
    }

    /** The name in {@code index}, as a completion has it, of the element behind the last that is done. */
    int end(int index) {
        int names = wrIds.length;
        // Nearly always within: a division costs a third of a poll.
        return index >= 0 && index < names ? index : Integer.remainderUnsigned(index, names);
    }

    /** Whether the device may have finished with the elements before {@code end}, at least one. */
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

    /** What a completion says that the element did, {@code IBV_WC_*}. */
    int opcode(int element) {
        return (int) shapes[element] & OPCODE_MASK;
    }

    int length(int element) {
        return (int) (shapes[element] >>> Integer.SIZE);
    }

    /** Frees the oldest element; returns the one after it. */
    int finishOldest() {
        oldest = after(oldest);
        done.setRelease(done.getPlain() + 1);
        return oldest;
    }
}
