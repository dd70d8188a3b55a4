// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.provider.ReceiveRing;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The receive queue of a queue pair: elements of one size. There is no doorbell: the device looks whether the next element
 * is valid.
 */
final class IrdmaReceiveRing implements ReceiveRing {
    private static final int NONE = -1;

    private final LongBuffer words;
    private final int mask;
    private final int shift;
    private final int maxSge;
    private final boolean firstGeneration;
    private final long[] wrIds;

    /** The bit of valid elements in this lap. */
    private long valid;

    /** The number of posted receives, written by the producer. */
    private final AtomicInteger head = new AtomicInteger();

    /** The number of completed receives, written by the poller. */
    private final AtomicInteger done = new AtomicInteger();

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /** The value of {@link #head} when the queue pair went to ERR: the device completes the receives up to this one. */
    private int owed;

    private volatile boolean failed;

    /** A ring in {@code memory}, which is whole: a power of two of elements of {@code 1 << shift} quanta. */
    IrdmaReceiveRing(ByteBuffer memory, int shift, int maxSge, boolean firstGeneration) {
        int entries = memory.capacity() >> Elements.QUANTUM_SHIFT >> shift;
        this.words = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        this.mask = entries - 1;
        this.shift = shift;
        this.maxSge = maxSge;
        this.firstGeneration = firstGeneration;
        this.wrIds = new long[entries];
    }

    /** One element stays empty. */
    @Override
    public int capacity() {
        return mask;
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
        if (pieces > maxSge) {
            throw new IllegalArgumentException(
                    "the work request grew while it was posted: to " + pieces + " where the queue takes " + maxSge);
        }
        int next = head.getPlain();
        int entry = next & mask;
        if (entry == 0) {
            valid ^= Elements.VALID;
        }
        int at = entry << shift << Elements.QUANTUM_WORDS_SHIFT;
        int more = putPieces(request, pieces, at);
        words.put(at + 2, 0);
        wrIds[entry] = request.wrId();
        head.setRelease(next + 1);
        // The device takes the receive as soon as it sees the bit.
        VarHandle.releaseFence();
        words.put(at + Header.WORD, (long) more << Header.MORE_SHIFT | valid);
    }

    /** Writes the pieces; returns how many the header counts behind the first. */
    private int putPieces(ReceiveView request, int pieces, int at) {
        if (pieces == 0) {
            words.put(at, 0);
            words.put(at + 1, firstGeneration ? 0 : valid);
            return 0;
        }
        int to = at;
        for (int i = 0; i < pieces; i++) {
            words.put(to, request.iova(i));
            words.put(to + 1, Pieces.word(firstGeneration, valid, request.length(i), request.lkey(i)));
            to += i == 0 ? Elements.QUANTUM_WORDS : Elements.PIECE_WORDS;
        }
        if (firstGeneration || (pieces & 1) != 0) {
            return pieces - 1;
        }
        words.put(to, 0);
        words.put(to + 1, valid);
        return pieces;
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

    /** The element in which the device begins at {@code quantum}; -1 unless it is that of the oldest receive. */
    int entryOf(int quantum) {
        int oldest = oldest();
        return oldest << shift == quantum ? oldest : NONE;
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
        return failed && owed - done.getPlain() <= 0 ? oldest() : NONE;
    }
}
