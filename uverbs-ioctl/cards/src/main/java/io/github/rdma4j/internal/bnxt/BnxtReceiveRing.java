// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.provider.OrderedReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveRing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** The receive queue of a queue pair: elements of one size, which the device takes and completes in order. */
final class BnxtReceiveRing extends OrderedReceiveRing {
    private final LongBuffer words;
    private final int elements;
    private final int elementWords;
    private final Doorbells doorbells;
    private final long doorbell;

    /** The next element, and the lap bit of doorbells. */
    private int next;

    private int epoch;

    /** The oldest receive; poller only. */
    private int oldest;

    /** Creates the ring of queue pair {@code number}, which fills {@code memory}. One element stays unused. */
    BnxtReceiveRing(ByteBuffer memory, Sizes.Receives sizes, int maxSge, int number, Doorbells doorbells) {
        super(sizes.elements(), sizes.elements() - 1, maxSge);
        this.words = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        this.elements = sizes.elements();
        this.elementWords = sizes.slots() << Elements.SLOT_WORDS_SHIFT;
        this.doorbells = doorbells;
        this.doorbell = Doorbells.of(Doorbell.RECEIVES, number);
    }

    @Override
    public void put(ReceiveView request) {
        int pieces = request.numSge();
        ReceiveRing.requireRoom(pieces, maxSge());
        int at = next * elementWords;
        ReceiveElements.put(words, at, request, pieces);
        if (pieces == 0) {
            // the device rejects a receive without a piece
            words.put(at + ReceiveElements.PIECES_AT, 0);
            words.put(at + ReceiveElements.PIECES_AT + 1, 0);
        }
        ReceiveElements.putHeader(words, at, Math.max(1, pieces), next);
        post(next, request.wrId());
        if (++next == elements) {
            next = 0;
            epoch ^= 1;
        }
        doorbells.ring(doorbell, next, epoch);
    }

    /** Discards the posted receives, and starts again at the first element, like the device. */
    void reset() {
        skipPosted();
        next = 0;
        oldest = 0;
    }

    // ---- the poller

    /** The oldest receive; -1 if there is none. */
    int oldest() {
        return postedCount() - doneCount() > 0 ? oldest : NONE;
    }

    /** Makes room for one receive. */
    void finishOldest() {
        oldest = oldest + 1 == elements ? 0 : oldest + 1;
        finishOne();
    }
}
