// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Memory whose owner frees it when its reference count drops to 0, such as the memory of a pooled buffer of Netty. */
public interface CountedMemory {
    /** Returns the number of times that the bytes have moved; changes with each move. */
    int moves();

    /**
     * Checks that the bytes are still at {@code address}. Allocates nothing.
     *
     * @param moves the value of {@link #moves} when the address was taken; other bytes may be at the address now
     * @throws IllegalStateException if the memory was freed, or the bytes have moved
     */
    void ensureInPlace(int moves, long address, int length);

    /** Counts a work request that uses the memory, which the program knows as {@code view}. Allocates nothing. */
    void hold(Object view);

    /** Ends the use by a completed work request. */
    void releaseHold(Object view);
}
