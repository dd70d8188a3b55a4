// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The receives of a shared receive queue by the tags that its elements have, for a device that completes the receives in any order:
 * numbers of a list, to which the tags of completed receives are appended. The last tag of the list stays unused.
 *
 * <p>Any thread that polls a completion queue may free tags: it writes them to {@link #freed} without a lock, and the producer takes
 * them from there.
 */
public final class ReceiveTags {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int tags;
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

    /** Receives posted. */
    private int count;

    /** Tags for one receive less than {@code tags}. */
    public ReceiveTags(int tags) {
        this.tags = tags;
        this.wrIds = new long[tags];
        this.posted = new int[tags];
        this.freed = new int[tags];
        this.following = IntStream.rangeClosed(1, tags).toArray();
        this.lastTag = tags - 1;
    }

    // ---- the producer

    /** Whether there is no tag for a receive, or {@code most} receives have not completed. */
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

    /** The tag of the receive that is posted next. */
    public int next() {
        return tag;
    }

    /** The receive with the tag {@link #next} is posted as soon as the device sees it. */
    public void post(long wrId) {
        wrIds[tag] = wrId;
        INT.setRelease(posted, tag, 1);
        tag = following[tag];
        count++;
    }

    /** The receives that have not completed. */
    public int waiting() {
        return count - (int) freedTail.get();
    }

    // ---- the poller

    /** Marks the receive with that tag as completed; returns true once for each receive. */
    public boolean completes(long of) {
        return of >= 0 && of < tags && INT.compareAndSet(posted, (int) of, 1, 0);
    }

    /** The number of the receive with that tag, after {@link #completes} and before {@link #free}. */
    public long wrId(long of) {
        return wrIds[(int) of];
    }

    /** Frees the tag, after {@link #completes}. */
    public void free(long of) {
        int at = (int) (freedTail.getAndIncrement() % tags);
        INT.setRelease(freed, at, (int) of + 1);
    }
}
