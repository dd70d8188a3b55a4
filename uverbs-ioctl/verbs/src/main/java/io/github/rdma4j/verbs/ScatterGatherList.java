// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.CountedMemory;
import io.github.rdma4j.internal.verbs.CountedPieces;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The scatter-gather entries of one work request, in order ({@code struct ibv_sge}). Reusable: the arrays are created
 * once, and filling them allocates nothing.
 */
final class ScatterGatherList implements CountedPieces {
    private final MemoryRegion[] regions;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] lkeys;
    private final @Nullable CountedMemory[] counted;

    /** The move count of the counted memory when its address was taken. */
    private final int[] moves;

    private final @Nullable Object[] views;
    /** The limits that accepted the request in its present form; null after a change. */
    private @Nullable Object acceptedBy;

    private boolean hasCounted;
    private int size;
    private long total;

    ScatterGatherList(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("a work request with room for " + capacity
                    + " scatter-gather entries; the number must be 0 or more");
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
            throw new IllegalStateException("the work request already has " + regions.length
                    + " scatter-gather entries, all it has room for: call clear() first, or create it with more room");
        }
        requireInside(region, offset, length);
        acceptedBy = null;
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

    private static void requireInside(MemoryRegion region, long offset, int length) {
        if (length < 0 || offset < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException(length + " bytes at offset " + offset + " are outside " + region);
        }
    }

    @Override
    public void replace(int index, MemoryRegion region, long offset, int length) {
        Objects.checkIndex(index, size);
        requireInside(region, offset, length);
        acceptedBy = null;
        if (regions[index] != region) { // a store of a reference costs more than a comparison
            regions[index] = region;
        }
        lkeys[index] = region.lkey();
        addresses[index] = region.iova() + offset;
        total += length - lengths[index];
        lengths[index] = length;
    }

    @Override
    public int room() {
        return regions.length - size;
    }

    /** Records that {@code limits} accepted the request in its present form. */
    void accepted(Object limits) {
        acceptedBy = limits;
    }

    boolean isAcceptedBy(Object limits) {
        return acceptedBy == limits;
    }

    /** Records that the accepted request has changed. */
    void changed() {
        acceptedBy = null;
    }

    void clear() {
        acceptedBy = null;
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

    /** Checks all entries: the key of a closed region may be reused, and moved memory may have another owner. */
    void ensureUsable() {
        for (int i = 0; i < size; i++) {
            regions[i].ensureUsable();
        }
        if (hasCounted) {
            ensureInPlace();
        }
    }

    /** Copies the bytes of all entries to {@code into}, from its position to its limit. */
    void copyTo(ByteBuffer into) {
        for (int i = 0; i < size; i++) {
            regions[i].copy(addresses[i], lengths[i], into);
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
