// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the process knows of the elements of a send ring, by their first quantum. The producer writes it, and the poller of
 * the completion queue reads what was published.
 */
final class SendLog {
    static final byte WRITE = (byte) WorkCompletionOpcode.RDMA_WRITE.code();
    static final byte READ = (byte) WorkCompletionOpcode.RDMA_READ.code();
    static final byte SEND = (byte) WorkCompletionOpcode.SEND.code();
    static final byte COMPARE_SWAP = (byte) WorkCompletionOpcode.COMP_SWAP.code();
    static final byte FETCH_ADD = (byte) WorkCompletionOpcode.FETCH_ADD.code();
    static final byte BIND = (byte) WorkCompletionOpcode.BIND_MW.code();
    static final byte INVALIDATE = (byte) WorkCompletionOpcode.LOCAL_INV.code();

    private static final int SKIPPED = 0xff;
    private static final int NONE = -1;

    private static final int OPCODE_BITS = 8;
    private static final int BYTE = 0xff;

    private final int mask;
    private final long[] wrIds;

    /** Where an element begins, in quanta counted without end; and the number of requests, the element included. */
    private final long[] places;

    /** The bytes of an element, its quanta, and what a completion says that it did, or {@link #SKIPPED}. */
    private final long[] shapes;

    /** Of the element that is being written. */
    private byte opcode;

    private int length;

    /** Quanta that the device may take. */
    private final AtomicInteger published;

    /** Requests that the device has finished with. */
    private final AtomicInteger done;

    /** The first quantum that the device has not finished with; the poller's. */
    private int tail;

    /** The value of {@link #done} up to which the device completes requests in ERR. */
    private int owed;

    private volatile boolean failed;

    /** The device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** The device completes no request any more but by a flush, which it may have written already. */
    private volatile boolean ended;

    /** A log of a ring of {@code quanta}, of which the kernel fills the first {@code first}. The ring reads {@code done}. */
    SendLog(int quanta, int first, AtomicInteger done) {
        this.done = done;
        this.mask = quanta - 1;
        this.wrIds = new long[quanta];
        this.places = new long[quanta];
        this.shapes = new long[quanta];
        this.published = new AtomicInteger(first);
        this.tail = first;
    }

    // ---- the producer

    void completesAs(byte operation) {
        opcode = operation;
    }

    void carries(int bytes) {
        length = bytes;
    }

    private static long pair(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    private static int high(long pair) {
        return (int) (pair >>> Integer.SIZE);
    }

    /** The element that is being written is whole. */
    void put(int start, int size, long wrId, int count) {
        int at = start & mask;
        wrIds[at] = wrId;
        places[at] = pair(start, count);
        shapes[at] = pair(length, size << OPCODE_BITS | opcode);
    }

    /** An element that does nothing. */
    void skip(int start) {
        int at = start & mask;
        places[at] = pair(start, 0);
        shapes[at] = 1 << OPCODE_BITS | SKIPPED;
    }

    /** The quanta of the element at {@code start}. */
    int quanta(int start) {
        return (int) shapes[start & mask] >>> OPCODE_BITS & BYTE;
    }

    /** {@code before} requests were published until now. */
    void publish(int head, int before) {
        if (failedByDevice && done.getAcquire() == before) {
            ended = true; // nothing was left for the device to flush
        }
        published.setRelease(head);
    }

    /** The queue pair goes to ERR; the device completes the requests up to {@code count}. */
    void fail(int count) {
        owed = count;
        failed = true;
    }

    /** Nobody waits for the {@code count} requests that were posted. */
    void reset(int count) {
        tail = published.getPlain();
        done.setRelease(count);
    }

    // ---- the poller

    /** The device has completed a request of the queue pair with an error. */
    void failByDevice() {
        failedByDevice = true;
    }

    /** The device has completed a request of this queue with an error: if it completes any other, it flushes it. */
    void end() {
        ended = true;
    }

    /** The element that a completion names by {@code quantum}; -1 if the device does not have such an element. */
    int elementOf(int quantum) {
        int element = quantum & mask;
        int end = published.getAcquire();
        int start = high(places[element]);
        boolean owns = start - tail >= 0 && end - start > 0 && (start & mask) == element;
        return owns && element == quantum && opcode(element) != SKIPPED ? element : NONE;
    }

    /** The oldest element; -1 if there is none. */
    int oldest() {
        int end = published.getAcquire();
        while (tail != end) {
            int element = tail & mask;
            if (opcode(element) != SKIPPED) {
                return element;
            }
            tail++;
        }
        return NONE;
    }

    long wrId(int element) {
        return wrIds[element];
    }

    /** What a completion says that the element did, {@code IBV_WC_*}. */
    int opcode(int element) {
        return (int) shapes[element] & BYTE;
    }

    int length(int element) {
        return high(shapes[element]);
    }

    /** Frees an element and all elements before it, which the device has finished. */
    void finish(int element) {
        tail = high(places[element]) + quanta(element);
        done.setRelease((int) places[element]);
    }

    /** The next element to flush in place of the device; -1 for none, or while the device has older ones to complete. */
    int nextToFlush() {
        return failed && (ended || owed - done.getPlain() <= 0) ? oldest() : NONE;
    }
}
