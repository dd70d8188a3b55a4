// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The receives of a shared receive queue by the tags of its elements, for a device that completes receives in any
 * order. The free tags form a linked list, to whose end the tags of completed receives are appended. The last tag of
 * the list stays unused.
 *
 * <p>Any thread that polls a completion queue may free tags: it writes them to {@link #freed} without a lock, and the
 * producer takes them from there.
 */
public final class ReceiveTags {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int tags;
    private final long[] wrIds;

    /** The next tag of the list, by tag. */
    private final int[] following;

    /** 1 while a posted receive has not completed, by tag. */
    private final int[] posted;

    /** The tags of completed receives, plus 1; 0 for none. */
    private final int[] freed;

    private final AtomicLong freedTail = new AtomicLong();
    private int freedHead;
    private int freedAt;

    /** The tag for the next receive: the head of the list. */
    private int tag;

    private int lastTag;

    /** The number of posted receives. */
    private int count;

    /** Creates the tags for one receive less than {@code tags}. */
    public ReceiveTags(int tags) {
        this.tags = tags;
        this.wrIds = new long[tags];
        this.posted = new int[tags];
        this.freed = new int[tags];
        this.following = IntStream.rangeClosed(1, tags).toArray();
        this.lastTag = tags - 1;
    }

    // ---- the producer

    /** True if there is no tag for a receive, or {@code most} receives have not completed. */
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
            freedAt = freedAt + 1 == tags ? 0 : freedAt + 1;
            freedHead++;
            following[lastTag] = free;
            lastTag = free;
            free = (int) INT.getAcquire(freed, freedAt) - 1;
        }
    }

    /** The tag of the next receive to post. */
    public int next() {
        return tag;
    }

    /** Records the receive with the tag {@link #next} as posted, before the device can see it. */
    public void post(long wrId) {
        wrIds[tag] = wrId;
        INT.setRelease(posted, tag, 1);
        tag = following[tag];
        count++;
    }

    /** The number of receives that have not completed. */
    public int waiting() {
        return count - (int) freedTail.get();
    }

    // ---- the poller

    /** Marks the receive with the tag as completed; returns true once for each receive. */
    public boolean completes(long of) {
        return of >= 0 && of < tags && INT.compareAndSet(posted, (int) of, 1, 0);
    }

    /** The work request number of the receive with the tag, after {@link #completes} and before {@link #free}. */
    public long wrId(long of) {
        return wrIds[(int) of];
    }

    /** Frees the tag, after {@link #completes}. */
    public void free(long of) {
        int at = (int) (freedTail.getAndIncrement() % tags);
        INT.setRelease(freed, at, (int) of + 1);
    }
}
