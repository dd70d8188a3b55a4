// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory regions of a protection domain by their local keys: DiSNI's work requests name memory by address and key only. Looking up
 * takes no lock and allocates nothing.
 */
final class RegionTable {
    private static final int LEAST = 64;
    private static final int MIX = 0x9E37_79B9;
    private static final int MIX_SHIFT = 8;

    private final ReentrantLock adding = new ReentrantLock();

    /** Open addressing, at most half full, so that a search ends; closed regions stay until the table is made anew. */
    private volatile AtomicReferenceArray<Handles.@Nullable Mr> table = new AtomicReferenceArray<>(LEAST);

    /** Entries of the table; guarded by the lock. */
    private int used;

    /** The open region with that key. */
    Handles.@Nullable Mr get(int lkey) {
        AtomicReferenceArray<Handles.@Nullable Mr> now = table;
        int mask = now.length() - 1;
        int i = slot(lkey, mask);
        Handles.Mr mr = now.get(i);
        while (mr != null && !mr.hasKey(lkey)) {
            i = (i + 1) & mask;
            mr = now.get(i);
        }
        return mr;
    }

    private static int slot(int lkey, int mask) {
        return ((lkey * MIX) >>> MIX_SHIFT) & mask;
    }

    void add(Handles.Mr mr) {
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

    /** Leaves the closed regions out. */
    private void rebuild() {
        AtomicReferenceArray<Handles.@Nullable Mr> old = table;
        int open = 0;
        for (int i = 0; i < old.length(); i++) {
            open += isOpen(old.get(i)) ? 1 : 0;
        }
        int size = LEAST;
        while (size < open * 4) {
            size *= 2;
        }
        AtomicReferenceArray<Handles.@Nullable Mr> made = new AtomicReferenceArray<>(size);
        used = 0;
        for (int i = 0; i < old.length(); i++) {
            Handles.Mr mr = old.get(i);
            if (mr != null && isOpen(mr)) {
                insert(made, mr);
                used++;
            }
        }
        table = made;
    }

    private static boolean isOpen(Handles.@Nullable Mr mr) {
        return mr != null && mr.isOpen();
    }

    private static void insert(AtomicReferenceArray<Handles.@Nullable Mr> into, Handles.Mr mr) {
        int mask = into.length() - 1;
        int i = slot(mr.region.lkey(), mask);
        while (into.get(i) != null) {
            i = (i + 1) & mask;
        }
        into.set(i, mr);
    }
}
