// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** Makes the kernel look at a queue, by a system call. A doorbell in a mapped page is a {@link DoorbellPage}. */
public interface Doorbell {
    /** Returns 0, or minus the error number. Allocates nothing. */
    int ring();

    /** The send queue is gone, and nobody rings any more. Called once. */
    default void retire() {}
}
