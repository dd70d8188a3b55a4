// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.provider.ReceiveRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** The receive queue of a queue pair: elements of one size. The device takes them, and completes them, in order. */
final class BnxtReceiveRing implements ReceiveRing {
    private static final int NONE = -1;

    private final LongBuffer words;
    private final int elements;
    private final int elementWords;
    private final int maxSge;
    private final long[] wrIds;
    private final Doorbells doorbells;
    private final long doorbell;

    /** The next element, and the bit of this lap in doorbells. */
    private int next;

    private int epoch;

    /** The number of posted receives, written by the producer. */
    private final AtomicInteger head = new AtomicInteger();

    /** The number of completed receives, written by the poller. */
    private final AtomicInteger done = new AtomicInteger();

    /** The value of {@link #done} that the producer saw last. */
    private int seenDone;

    /** The oldest receive; the poller's. */
    private int oldest;

    /** The ring of queue pair {@code number}, in {@code memory}, which is whole. */
    BnxtReceiveRing(ByteBuffer memory, Sizes.Receives sizes, int maxSge, int number, Doorbells doorbells) {
        this.words = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        this.elements = sizes.elements();
        this.elementWords = sizes.slots() << Elements.SLOT_WORDS_SHIFT;
        this.maxSge = maxSge;
        this.wrIds = new long[elements];
        this.doorbells = doorbells;
        this.doorbell = Doorbells.of(Doorbell.RECEIVES, number);
    }

    /** One element stays empty. */
    @Override
    public int capacity() {
        return elements - 1;
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
        ReceiveElements.requireRoom(pieces, maxSge);
        int at = next * elementWords;
        ReceiveElements.put(words, at, request, pieces);
        if (pieces == 0) {
            // The device takes no receive without a piece.
            words.put(at + ReceiveElements.PIECES_AT, 0);
            words.put(at + ReceiveElements.PIECES_AT + 1, 0);
        }
        ReceiveElements.putHeader(words, at, Math.max(1, pieces), next);
        wrIds[next] = request.wrId();
        head.setRelease(head.getPlain() + 1);
        if (++next == elements) {
            next = 0;
            epoch ^= 1;
        }
        doorbells.ring(doorbell, next, epoch);
    }

    /** Nobody waits for the posted receives any more, and the device begins anew. */
    void reset() {
        done.setRelease(head.getPlain());
        next = 0;
        oldest = 0;
    }

    // ---- the poller

    /** The oldest receive; -1 if there is none. */
    int oldest() {
        return head.getAcquire() - done.getPlain() > 0 ? oldest : NONE;
    }

    long wrId(int element) {
        return wrIds[element];
    }

    /** Makes room for one receive. */
    void finishOldest() {
        oldest = oldest + 1 == elements ? 0 : oldest + 1;
        done.setRelease(done.getPlain() + 1);
    }
}
