// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/**
 * The producer's side of a receive queue, of a queue pair or shared. All methods except the two capacity getters are
 * called under the lock of the receive queue. No method allocates.
 */
public interface ReceiveRing {
    /** The number of work requests that fit, as granted ({@code max_recv_wr}). */
    int capacity();

    /** The scatter-gather entries that a work request may have, as granted ({@code max_recv_sge}). */
    int maxSge();

    /**
     * True if {@code limit} work requests are in flight.
     *
     * @param limit 0 to {@link #capacity()}
     */
    boolean isFull(int limit);

    /** True if the ring holds as many work requests as granted. */
    default boolean isFull() {
        return isFull(capacity());
    }

    /** Writes a work request and publishes it to the device. The ring is not full. */
    void put(ReceiveView request);

    /** Checked again in {@link #put}, because a program may change a request while it is being posted. */
    static void requireRoom(int pieces, int most) {
        if (pieces > most) {
            throw new IllegalArgumentException("the work request grew while it was posted: to " + pieces
                    + " pieces of memory where the queue takes " + most);
        }
    }

    /** The part of a receive work request that a {@link ReceiveRing} reads ({@code struct ibv_recv_wr}). */
    interface ReceiveView {
        /** The number that the completion repeats. */
        long wrId();

        /** The number of scatter-gather entries ({@code num_sge}). */
        int numSge();

        /** The total length of all scatter-gather entries, in bytes. */
        long totalLength();

        /** The I/O virtual address of scatter-gather entry {@code index}. */
        long iova(int index);

        /** The bytes of scatter-gather entry {@code index}. */
        int length(int index);

        /** The local key of scatter-gather entry {@code index}. */
        int lkey(int index);
    }
}
