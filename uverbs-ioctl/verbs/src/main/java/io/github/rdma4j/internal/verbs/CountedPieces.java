// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** The pieces of memory of a work request, of which some may lie in memory that counts its users. */
public interface CountedPieces {
    /**
     * Adds {@code length} bytes at {@code offset} of {@code region}, in {@code memory}, which the program knows as
     * {@code view}.
     */
    void add(MemoryRegion region, long offset, int length, CountedMemory memory, Object view);

    /** How many pieces can be added. */
    int room();

    /** How many pieces there are. */
    int size();

    /** Where a piece begins, as the device names it. */
    long address(int index);

    /** The bytes of a piece. */
    int length(int index);

    /** Whether a piece lies in memory that counts its users. */
    boolean hasCounted();

    /** The memory of a piece; null when the memory does not count its users. */
    @Nullable
    CountedMemory counted(int index);

    /** What the program knows the memory of a piece as; null when the memory does not count its users. */
    @Nullable
    Object view(int index);
}
