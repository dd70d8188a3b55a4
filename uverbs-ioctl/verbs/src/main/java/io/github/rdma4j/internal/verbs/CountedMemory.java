// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Memory that its owner frees when the use count is 0, such as a pooled buffer of Netty. */
public interface CountedMemory {
    /** The number of times that the bytes have moved. */
    int moves();

    /**
     * Allocates nothing.
     *
     * @param moves the value of {@link #moves} when the address was taken; other bytes may be at the address now
     * @throws IllegalStateException if the memory was freed or the bytes have moved
     */
    void ensureInPlace(int moves, long address, int length);

    /** Counts a work request that uses the memory through the program's view {@code view}. Allocates nothing. */
    void hold(Object view);

    /** Ends the hold of a completed work request. */
    void releaseHold(Object view);
}
