// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/**
 * The producer's side of a send queue. All methods except the three capacity getters are called under the lock of the
 * send queue. No method allocates.
 */
public interface SendRing {
    /** The number of work requests that fit, as granted ({@code max_send_wr}). */
    int capacity();

    /** The scatter-gather entries that a work request may have, as granted ({@code max_send_sge}). */
    int maxSge();

    /** The bytes that a work request may carry inline, as granted ({@code max_inline_data}). */
    int maxInline();

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

    /**
     * Writes a work request; {@link #publish} makes it visible to the device. The ring is not full.
     *
     * @throws IllegalArgumentException for an operation that the driver lacks, and for a request that does not fit;
     *     {@link #discard} follows
     */
    void put(SendView request);

    /** Removes the requests, or part of a request, put since the last {@link #publish}. */
    void discard();

    /**
     * Publishes the new requests to the device and rings the doorbell. Returns 0, or minus the error number of
     * POST_SEND; a doorbell in a mapped page cannot fail.
     */
    int publish();
}
