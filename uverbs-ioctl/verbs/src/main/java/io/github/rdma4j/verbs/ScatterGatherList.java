// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.CountedMemory;
import io.github.rdma4j.internal.verbs.CountedPieces;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of memory that one work request reads from or writes to, in order ({@code struct ibv_sge}). Reusable: the
 * arrays are made once, and filling them allocates nothing.
 */
final class ScatterGatherList implements CountedPieces {
    private final MemoryRegion[] regions;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] lkeys;
    private final @Nullable CountedMemory[] counted;

    /** How often counted memory had moved when its address was taken. */
    private final int[] moves;

    private final @Nullable Object[] views;
    private boolean hasCounted;
    private int size;
    private long total;

    ScatterGatherList(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException(
                    "a work request with room for " + capacity + " pieces of memory; it must be 0 or more");
        }
        regions = new MemoryRegion[capacity];
        addresses = new long[capacity];
        lengths = new int[capacity];
        lkeys = new int[capacity];
        counted = new CountedMemory[capacity];
        moves = new int[capacity];
        views = new Object[capacity];
    }

    void add(MemoryRegion region, long offset, int length) {
        if (size == regions.length) {
            throw new IllegalStateException("the work request has all the pieces of memory it has room for, "
                    + regions.length + ": call clear() to use it for the next message, or make it larger");
        }
        if (length < 0 || offset < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException(length + " bytes at " + offset + " are outside " + region);
        }
        regions[size] = region;
        addresses[size] = region.iova() + offset;
        lengths[size] = length;
        lkeys[size] = region.lkey();
        size++;
        total += length;
    }

    @Override
    public void add(MemoryRegion region, long offset, int length, CountedMemory memory, Object view) {
        add(region, offset, length);
        counted[size - 1] = memory;
        moves[size - 1] = memory.moves();
        views[size - 1] = view;
        hasCounted = true;
    }

    @Override
    public int room() {
        return regions.length - size;
    }

    void clear() {
        if (hasCounted) {
            Arrays.fill(counted, null);
            Arrays.fill(views, null);
            hasCounted = false;
        }
        size = 0;
        total = 0;
    }

    @Override
    public int size() {
        return size;
    }

    long total() {
        return total;
    }

    @Override
    public long address(int index) {
        return addresses[Objects.checkIndex(index, size)];
    }

    @Override
    public int length(int index) {
        return lengths[Objects.checkIndex(index, size)];
    }

    int lkey(int index) {
        return lkeys[Objects.checkIndex(index, size)];
    }

    @Override
    public boolean hasCounted() {
        return hasCounted;
    }

    @Override
    public @Nullable CountedMemory counted(int index) {
        return counted[Objects.checkIndex(index, size)];
    }

    @Override
    public @Nullable Object view(int index) {
        return views[Objects.checkIndex(index, size)];
    }

    /** A closed region's key may be another region's by now, and memory that has moved somebody else's. */
    void ensureUsable() {
        for (int i = 0; i < size; i++) {
            regions[i].ensureUsable();
        }
        if (hasCounted) {
            ensureInPlace();
        }
    }

    private void ensureInPlace() {
        for (int i = 0; i < size; i++) {
            CountedMemory memory = counted[i];
            if (memory != null) {
                memory.ensureInPlace(moves[i], addresses[i], lengths[i]);
            }
        }
    }
}
