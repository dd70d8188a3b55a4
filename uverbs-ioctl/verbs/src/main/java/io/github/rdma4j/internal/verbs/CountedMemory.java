// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Memory whose owner frees it when nobody counts on it any more, such as that of a pooled buffer of Netty. */
public interface CountedMemory {
    /** How often the bytes have moved; changes with each move. */
    int moves();

    /**
     * Allocates nothing.
     *
     * @param moves what {@link #moves} was when the address was taken: the bytes of another index may lie there now
     * @throws IllegalStateException when the memory was freed, or the bytes have moved
     */
    void ensureInPlace(int moves, long address, int length);

    /** A work request uses the memory, which its program knows as {@code view}. Allocates nothing. */
    void hold(Object view);

    /** The work request has completed. */
    void releaseHold(Object view);
}
