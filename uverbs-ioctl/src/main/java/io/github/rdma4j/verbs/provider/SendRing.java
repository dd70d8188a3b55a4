// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.provider;

/** The producer's side of a send queue. No method allocates. */
public interface SendRing {
    /** The number of work requests that fit. */
    int capacity();

    /** True when no work request fits. */
    boolean isFull();

    /** Writes a work request, which {@link #publish} shows to the device. The ring is not full. */
    void put(SendView request);

    /** Takes back what was put and not published yet, in whole or in part. */
    void discard();

    /** Shows the device what was put and rings the doorbell. Returns 0, or minus the error number. */
    int publish();

    /** Gives the memory back. */
    void retire();
}
