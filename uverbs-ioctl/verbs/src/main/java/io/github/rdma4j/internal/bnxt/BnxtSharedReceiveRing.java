// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * A shared receive queue. The device takes the elements in order and completes them in any order, so each element has a tag: a
 * number of a list, to which the tags of completed receives are appended. The last tag of the list stays unused.
 *
 * <p>Any thread that polls a completion queue may free tags: it writes them to {@link #freed} without a lock, and the producer
 * takes them from there.
 */
final class BnxtSharedReceiveRing implements SharedReceiveRing {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int ENTRY_WORDS = Elements.SHARED_BYTES / Long.BYTES;
    private static final long[] ZEROS = new long[ENTRY_WORDS];

    private final RingMemory memory;
    private final LongBuffer words;
    private final int elements;
    private final int maxSge;
    private final Doorbells doorbells;
    private final long doorbell;
    private final long limitDoorbell;
    private final TogglePage toggle;
    private final long[] wrIds;

    /** By tag: the next tag of the list. */
    private final int[] following;

    /** By tag: 1 while a posted receive has not completed. */
    private final int[] posted;

    /** The tags of completed receives, plus 1; 0 for none. */
    private final int[] freed;

    private final AtomicLong freedTail = new AtomicLong();
    private int freedHead;
    private int freedAt;

    /** The tag for the next receive, and the last of the list. */
    private int tag;

    private int lastTag;

    /** The next element, and the bit of this lap in doorbells. */
    private int next;

    private int epoch;

    /** Receives posted. */
    private int count;

    /** The device is to be told of the limit as soon as there are more receives. */
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
        this.memory = memory;
        this.words = memory.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        this.elements = shape.elements();
        this.maxSge = shape.maxSge();
        this.doorbells = doorbells;
        this.doorbell = Doorbells.of(Doorbell.SHARED_RECEIVES, shape.number());
        this.limitDoorbell = Doorbells.of(Doorbell.SHARED_LIMIT, shape.number());
        this.toggle = toggle;
        this.wrIds = new long[elements];
        this.posted = new int[elements];
        this.freed = new int[elements];
        this.following = IntStream.rangeClosed(1, elements).toArray();
        this.lastTag = elements - 1;
    }

    @Override
    public int capacity() {
        return elements - 1;
    }

    @Override
    public int maxSge() {
        return maxSge;
    }

    @Override
    public boolean isFull(int most) {
        if (isShort(most)) {
            takeFreed();
        }
        return isShort(most);
    }

    private boolean isShort(int most) {
        return count - freedHead >= most || tag == lastTag;
    }

    /** Appends the tags of completed receives to the list, in the order of completion. */
    private void takeFreed() {
        int free = (int) INT.getAcquire(freed, freedAt) - 1;
        while (free >= 0) {
            freed[freedAt] = 0;
            freedAt = freedAt + 1 == elements ? 0 : freedAt + 1;
            freedHead++;
            following[lastTag] = free;
            lastTag = free;
            free = (int) INT.getAcquire(freed, freedAt) - 1;
        }
    }

    @Override
    public void put(ReceiveView request) {
        int pieces = request.numSge();
        ReceiveElements.requireRoom(pieces, maxSge);
        int at = next * ENTRY_WORDS;
        words.put(at, ZEROS);
        ReceiveElements.put(words, at, request, pieces);
        ReceiveElements.putHeader(words, at, pieces, tag);
        wrIds[tag] = request.wrId();
        INT.setRelease(posted, tag, 1);
        tag = following[tag];
        count++;
        if (++next == elements) {
            next = 0;
            epoch ^= 1;
        }
        doorbells.ring(doorbell, next, epoch);
        if (limitWaits) {
            tellLimit();
        }
    }

    /** The device would take a limit that is reached already for one that was reached just now. */
    @Override
    public void limit(int requests) {
        limit = requests;
        limitWaits = requests > 0;
        if (limitWaits) {
            tellLimit();
        }
    }

    private void tellLimit() {
        if (count - (int) freedTail.get() > limit) {
            limitWaits = false;
            doorbells.ring(limitDoorbell | toggle.bits(), limit, 0);
        }
    }

    /** Marks the receive with that tag as completed; returns true once for each receive. Called by the poller. */
    boolean completes(int of) {
        return of < elements && INT.compareAndSet(posted, of, 1, 0);
    }

    long wrId(int of) {
        return wrIds[of];
    }

    /** Frees the tag, after {@link #completes} and after the last use of {@link #wrId}. Called by the poller. */
    void free(int of) {
        int at = (int) (freedTail.getAndIncrement() % elements);
        INT.setRelease(freed, at, of + 1);
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
        toggle.retire();
    }
}
