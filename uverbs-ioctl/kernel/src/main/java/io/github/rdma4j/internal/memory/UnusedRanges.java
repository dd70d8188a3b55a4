// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import io.github.rdma4j.internal.libc.Syscalls;
import org.jspecify.annotations.Nullable;

/**
 * Unreachable ranges of zero pages, unmapped in batches. Queues created in sequence have adjacent rings, so one call
 * unmaps many of them. Not safe for use by several threads.
 */
final class UnusedRanges {
    /** The number of waiting ranges that triggers unmapping. */
    static final int MOST = 128;

    /** The number of waiting bytes that triggers unmapping. */
    static final long MOST_BYTES = 16L << 20;

    /** Disjoint, in ascending order. */
    private final long[] starts = new long[MOST];

    private final long[] ends = new long[MOST];
    private int count;

    private @Nullable Syscalls owner;
    private int waiting;
    private long bytes;

    /** Adds a range, and unmaps all ranges if too many wait. */
    void add(Syscalls syscalls, long start, int length) {
        if (syscalls != owner) {
            unmapAll();
            owner = syscalls;
        }
        insert(start, start + length);
        waiting++;
        bytes += length;
        if (waiting == MOST || bytes >= MOST_BYTES) {
            unmapAll();
        }
    }

    private void insert(long start, long end) {
        int at = count;
        while (at > 0 && starts[at - 1] > start) {
            at--;
        }
        if (at > 0 && ends[at - 1] == start) {
            at--;
            ends[at] = end;
        } else {
            move(at, at + 1);
            starts[at] = start;
            ends[at] = end;
        }
        if (at + 1 < count && starts[at + 1] == end) {
            ends[at] = ends[at + 1];
            move(at + 2, at + 1);
        }
    }

    /** Shifts the ranges from {@code from} on. */
    private void move(int from, int to) {
        System.arraycopy(starts, from, starts, to, count - from);
        System.arraycopy(ends, from, ends, to, count - from);
        count += to - from;
    }

    private void unmapAll() {
        Syscalls syscalls = owner;
        int all = count;
        count = 0; // first: no range is unmapped twice, even if a call throws
        waiting = 0;
        bytes = 0;
        if (syscalls != null) {
            for (int i = 0; i < all; i++) {
                syscalls.munmap(starts[i], ends[i] - starts[i]);
            }
        }
    }
}
