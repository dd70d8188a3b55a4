// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/**
 * The producer's side of a send queue. All methods but the three of capacities are called under the lock of the send
 * queue. No method allocates.
 */
public interface SendRing {
    /** The number of work requests that fit, as granted ({@code max_send_wr}). */
    int capacity();

    /** The scatter-gather entries that a work request may have, as granted ({@code max_send_sge}). */
    int maxSge();

    /** The bytes that a work request may carry inline, as granted ({@code max_inline_data}). */
    int maxInline();

    /**
     * True when no work request fits, because {@code limit} of them are in flight.
     *
     * @param limit how many there may be: 0 to {@link #capacity()}
     */
    boolean isFull(int limit);

    /** True when no work request fits in what was granted. */
    default boolean isFull() {
        return isFull(capacity());
    }

    /**
     * Writes a work request, which {@link #publish} shows to the device. The ring is not full.
     *
     * @throws IllegalArgumentException for an operation that the driver does not have, and for a request that does not
     *     fit; {@link #discard} follows
     */
    void put(SendView request);

    /** Takes back what was put and not published yet, in whole or in part. */
    void discard();

    /**
     * Shows the device what was put and rings the doorbell. Returns 0, or minus the error number of POST_SEND; a
     * doorbell in a mapped page cannot fail.
     */
    int publish();
}
