// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory regions of a protection domain by their local keys: DiSNI's work requests name memory by address and key only. Looking up
 * takes no lock and allocates nothing.
 */
final class RegionTable<R extends RegionTable.Region> {
    /** A memory region, which may be closed at any time. */
    interface Region {
        boolean isOpen();

        int lkey();
    }

    private static final int LEAST = 64;
    private static final int MIX = 0x9E37_79B9;
    private static final int MIX_SHIFT = 8;

    private final ReentrantLock adding = new ReentrantLock();

    /** Open addressing, at most half full, so that a search ends; closed regions stay until the table is made anew. */
    private volatile AtomicReferenceArray<@Nullable R> table = new AtomicReferenceArray<>(LEAST);

    /** Entries of the table; guarded by the lock. */
    private int used;

    /** The open region with that key. */
    @Nullable
    R get(int lkey) {
        AtomicReferenceArray<@Nullable R> now = table;
        int mask = now.length() - 1;
        int i = slot(lkey, mask);
        R mr = now.get(i);
        while (mr != null && !(mr.lkey() == lkey && mr.isOpen())) {
            i = (i + 1) & mask;
            mr = now.get(i);
        }
        return mr;
    }

    private static int slot(int lkey, int mask) {
        return ((lkey * MIX) >>> MIX_SHIFT) & mask;
    }

    void add(R mr) {
        adding.lock();
        try {
            if (used * 2 >= table.length()) {
                rebuild();
            }
            insert(table, mr);
            used++;
        } finally {
            adding.unlock();
        }
    }

    /** The places of the table. */
    int length() {
        return table.length();
    }

    /** Leaves the closed regions out. */
    private void rebuild() {
        AtomicReferenceArray<@Nullable R> old = table;
        int open = 0;
        for (int i = 0; i < old.length(); i++) {
            R mr = old.get(i);
            open += mr != null && mr.isOpen() ? 1 : 0;
        }
        int size = LEAST;
        while (size < open * 4) {
            size *= 2;
        }
        AtomicReferenceArray<@Nullable R> made = new AtomicReferenceArray<>(size);
        used = 0;
        for (int i = 0; i < old.length(); i++) {
            R mr = old.get(i);
            if (mr != null && mr.isOpen()) {
                insert(made, mr);
                used++;
            }
        }
        table = made;
    }

    private void insert(AtomicReferenceArray<@Nullable R> into, R mr) {
        int mask = into.length() - 1;
        int i = slot(mr.lkey(), mask);
        while (into.get(i) != null) {
            i = (i + 1) & mask;
        }
        into.set(i, mr);
    }
}
