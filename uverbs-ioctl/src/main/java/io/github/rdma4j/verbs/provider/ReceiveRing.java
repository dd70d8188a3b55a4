// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.provider;

/** The producer's side of a receive queue, of a queue pair or shared. No method allocates. */
public interface ReceiveRing {
    /** The number of work requests that fit. */
    int capacity();

    /** True when no work request fits. */
    boolean isFull();

    /** Writes a work request and shows it to the device. The ring is not full. */
    void put(ReceiveView request);

    /** Gives the memory back. */
    void retire();
}
