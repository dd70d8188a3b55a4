// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** The scatter-gather entries of a work request, some of which may lie in memory that counts its users. */
public interface CountedPieces {
    /** Adds {@code length} bytes at {@code offset}, in {@code memory}, which the program knows as {@code view}. */
    void add(MemoryRegion region, long offset, int length, CountedMemory memory, Object view);

    /** Returns the number of entries that can be added. */
    int room();

    /** Returns the number of entries. */
    int size();

    /** Returns the address of an entry, as the device uses it. */
    long address(int index);

    /** Returns the length of an entry in bytes. */
    int length(int index);

    /** Returns true if an entry lies in memory that counts its users. */
    boolean hasCounted();

    /** Returns the memory of an entry; null if the memory does not count its users. */
    @Nullable
    CountedMemory counted(int index);

    /** Returns the program's object for the memory of an entry; null if the memory does not count its users. */
    @Nullable
    Object view(int index);
}
