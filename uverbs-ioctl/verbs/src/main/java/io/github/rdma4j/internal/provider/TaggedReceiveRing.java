// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Base of shared receive queues, whose receives complete in any order: the receives by the tags of their elements. The
 * free tags form a linked list, to whose end the tags of completed receives are appended. The last tag of the list
 * stays unused.
 *
 * <p>Any thread that polls a completion queue may free tags: it writes them to {@link #freed} without a lock, and the
 * producer takes them from there.
 */
public abstract class TaggedReceiveRing implements SharedReceiveRing {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int capacity;
    private final int maxSge;
    private final long[] wrIds;

    /** The next tag of the list, by tag. */
    private final int[] following;

    /** 1 while a posted receive has not completed, by tag. */
    private final int[] posted;

    /** The tags of completed receives, plus 1; 0 for none. A circular buffer, whose length is a power of two. */
    private final int[] freed;

    private final AtomicInteger freedTail = new AtomicInteger();
    private int freedHead;

    /** The tag for the next receive: the head of the list. */
    private int tag;

    private int lastTag;

    /** The number of posted receives. */
    private int count;

    /**
     * Creates a ring without receives.
     *
     * @param tags the number of tags
     * @param listed the number of tags in the list, the lowest
     * @param maxSge the scatter-gather entries of a receive
     */
    protected TaggedReceiveRing(int tags, int listed, int maxSge) {
        this.capacity = listed - 1;
        this.maxSge = maxSge;
        this.wrIds = new long[tags];
        this.posted = new int[tags];
        this.freed = new int[Integer.highestOneBit(2 * tags - 1)];
        this.following = IntStream.rangeClosed(1, tags).toArray();
        this.lastTag = listed - 1;
    }

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final int maxSge() {
        return maxSge;
    }

    // ---- the producer

    /** True if there is no tag for a receive, or {@code limit} receives have not completed. */
    @Override
    public final boolean isFull(int limit) {
        if (isShort(limit)) {
            takeFreed();
        }
        return isShort(limit);
    }

    private boolean isShort(int limit) {
        return count - freedHead >= limit || tag == lastTag;
    }

    /** Appends the tags of completed receives to the list, in the order of completion. */
    private void takeFreed() {
        int mask = freed.length - 1;
        int free = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        while (free >= 0) {
            freed[freedHead++ & mask] = 0;
            append(free);
            free = (int) INT.getAcquire(freed, freedHead & mask) - 1;
        }
    }

    private void append(int free) {
        link(lastTag, free);
        following[lastTag] = free;
        lastTag = free;
    }

    /** Called when {@code next} follows {@code last} in the list, for a device that reads the list. */
    protected void link(int last, int next) {}

    /** The tag of the next receive to post. */
    protected final int nextTag() {
        return tag;
    }

    /** Records the receive with the tag {@link #nextTag} as posted, before the device can see it. */
    protected final void post(long wrId) {
        wrIds[tag] = wrId;
        INT.setRelease(posted, tag, 1);
        tag = following[tag];
        count++;
    }

    /** Makes room to post a completed receive again: {@code free}, its tag or a tag outside the list, is appended. */
    protected final void appendForRepost(int free) {
        takeFreed();
        append(free);
        count--;
    }

    /** The number of receives that have not completed. */
    protected final int waiting() {
        return count - freedTail.get();
    }

    // ---- the poller

    /** Marks the receive with the tag as completed; returns true once for each receive. */
    public final boolean completes(long of) {
        return of >= 0 && of < posted.length && INT.compareAndSet(posted, (int) of, 1, 0);
    }

    /** The work request number of the receive with the tag, after {@link #completes} and before {@link #free}. */
    public final long wrId(long of) {
        return wrIds[(int) of];
    }

    /** Frees the tag, after {@link #completes}. */
    public final void free(long of) {
        INT.setRelease(freed, freedTail.getAndIncrement() & freed.length - 1, (int) of + 1);
    }
}
