// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A log of the elements of a send ring, by first quantum. The producer writes the log; the poller of the completion
 * queue reads the published part.
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

    /** By element: its first quantum, counted without wrapping, and the number of requests up to and including it. */
    private final long[] places;

    /** By element: its bytes, its quanta, and the opcode of its completion, or {@link #SKIPPED}. */
    private final long[] shapes;

    /** The opcode of the current element. */
    private byte opcode;

    private int length;

    /** The number of quanta that the device may take. */
    private final AtomicInteger published;

    /** The number of requests that the device has finished. */
    private final AtomicInteger done;

    /** The first quantum that the device has not finished; poller only. */
    private int tail;

    /** The value of {@link #done} up to which the device completes requests in ERR. */
    private int owed;

    private volatile boolean failed;

    /** True if the device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** True if the device completes further requests only by a flush, which it may already have written. */
    private volatile boolean ended;

    /**
     * Creates a log of a ring of {@code quanta}, of which the kernel fills the first {@code first}. The ring reads
     * {@code done}.
     */
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

    /** Completes the current element. */
    void put(int start, int size, long wrId, int count) {
        int at = start & mask;
        wrIds[at] = wrId;
        places[at] = pair(start, count);
        shapes[at] = pair(length, size << OPCODE_BITS | opcode);
    }

    /** Records a no-op element. */
    void skip(int start) {
        int at = start & mask;
        places[at] = pair(start, 0);
        shapes[at] = 1 << OPCODE_BITS | SKIPPED;
    }

    /** The number of quanta of the element at {@code start}. */
    int quanta(int start) {
        return (int) shapes[start & mask] >>> OPCODE_BITS & BYTE;
    }

    /** Publishes the elements; {@code before} requests were already published. */
    void publish(int head, int before) {
        if (failedByDevice && done.getAcquire() == before) {
            ended = true; // the device had nothing left to flush
        }
        published.setRelease(head);
    }

    /** Called when the queue pair is moved to ERR; the device completes the requests up to {@code count}. */
    void fail(int count) {
        owed = count;
        failed = true;
    }

    /** Discards the {@code count} posted requests. */
    void reset(int count) {
        tail = published.getPlain();
        done.setRelease(count);
    }

    // ---- the poller

    /** Called when the device has completed a request of the queue pair with an error. */
    void failByDevice() {
        failedByDevice = true;
    }

    /**
     * Called when the device has completed a request of this queue with an error: it flushes the others, if it
     * completes them at all.
     */
    void end() {
        ended = true;
    }

    /** The element for the {@code quantum} of a completion; -1 if the device has no such element. */
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

    /** The opcode of the element's completion, {@code IBV_WC_*}. */
    int opcode(int element) {
        return (int) shapes[element] & BYTE;
    }

    int length(int element) {
        return high(shapes[element]);
    }

    /** Frees an element and all elements before it. */
    void finish(int element) {
        tail = high(places[element]) + quanta(element);
        done.setRelease((int) places[element]);
    }

    /** The next element to flush in place of the device; -1 for none, or if older elements are still to complete. */
    int nextToFlush() {
        return failed && (ended || owed - done.getPlain() <= 0) ? oldest() : NONE;
    }
}
