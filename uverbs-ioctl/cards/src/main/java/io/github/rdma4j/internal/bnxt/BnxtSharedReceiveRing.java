// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.TaggedReceiveRing;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * A shared receive queue. The device takes the elements in order and completes them in any order, so each element has a
 * tag.
 */
final class BnxtSharedReceiveRing extends TaggedReceiveRing {
    private static final int ENTRY_WORDS = Elements.SHARED_BYTES / Long.BYTES;
    private static final long[] ZEROS = new long[ENTRY_WORDS];

    private final RingMemory memory;
    private final LongBuffer words;
    private final int elements;
    private final Doorbells doorbells;
    private final long doorbell;
    private final long limitDoorbell;
    private final TogglePage toggle;

    /** The next element, and the lap bit of doorbells. */
    private int next;

    private int epoch;

    /** True if the limit is to be reported to the device once there are enough receives. */
    private boolean limitWaits;

    private int limit;

    /**
     * The identity of a queue.
     *
     * @param number the number of the queue
     * @param elements the elements of the ring
     * @param maxSge the pieces of memory of a receive
     */
    record Shape(int number, int elements, int maxSge) {}

    BnxtSharedReceiveRing(RingMemory memory, Shape shape, TogglePage toggle, Doorbells doorbells) {
        super(shape.elements(), shape.elements(), shape.maxSge());
        this.memory = memory;
        this.words = memory.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        this.elements = shape.elements();
        this.doorbells = doorbells;
        this.doorbell = Doorbells.of(Doorbell.SHARED_RECEIVES, shape.number());
        this.limitDoorbell = Doorbells.of(Doorbell.SHARED_LIMIT, shape.number());
        this.toggle = toggle;
    }

    @Override
    public void put(ReceiveView request) {
        int pieces = request.numSge();
        ReceiveRing.requireRoom(pieces, maxSge());
        int at = next * ENTRY_WORDS;
        words.put(at, ZEROS);
        ReceiveElements.put(words, at, request, pieces);
        ReceiveElements.putHeader(words, at, pieces, nextTag());
        post(request.wrId());
        if (++next == elements) {
            next = 0;
            epoch ^= 1;
        }
        doorbells.ring(doorbell, next, epoch);
        if (limitWaits) {
            tellLimit();
        }
    }

    /** Delays the report of a limit that is already reached, which the device would treat as just reached. */
    @Override
    public void limit(int requests) {
        limit = requests;
        limitWaits = requests > 0;
        if (limitWaits) {
            tellLimit();
        }
    }

    private void tellLimit() {
        if (waiting() > limit) {
            limitWaits = false;
            doorbells.ring(limitDoorbell | toggle.bits(), limit, 0);
        }
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
        toggle.retire();
    }
}
