// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/** The scatter-gather entries of a work request. Some may be in memory that counts its users. */
public interface CountedPieces {
    /**
     * Adds {@code length} bytes at {@code offset} of {@code region}, in {@code memory}, of which the program has the
     * view {@code view}.
     */
    void add(MemoryRegion region, long offset, int length, CountedMemory memory, Object view);

    /**
     * Replaces the piece at {@code index}, whose memory does not count its users, in less time than it takes to add all
     * pieces again.
     *
     * @throws IndexOutOfBoundsException if there is no such piece, or the bytes are outside the region
     */
    void replace(int index, MemoryRegion region, long offset, int length);

    /** The number of pieces that can be added. */
    int room();

    /** The number of pieces. */
    int size();

    /** The address of the first byte of a piece, for the device. */
    long address(int index);

    /** The bytes of a piece. */
    int length(int index);

    /** True if a piece is in memory that counts its users. */
    boolean hasCounted();

    /** The memory of a piece; null when the memory does not count its users. */
    @Nullable
    CountedMemory counted(int index);

    /** The program's view of the memory of a piece; null if the memory does not count its users. */
    @Nullable
    Object view(int index);
}
