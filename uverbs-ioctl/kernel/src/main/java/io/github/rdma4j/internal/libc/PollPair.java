// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

/**
 * Reusable poll(2) for two descriptors; on a running kernel, a wait allocates nothing. For one thread at a time.
 *
 * <p>Made by {@link Syscalls#pollPair()}.
 */
public interface PollPair {
    /**
     * poll(2) for POLLIN: the number of ready descriptors, or minus the error number. A negative timeout means no time
     * limit.
     */
    int poll(int first, int second, int timeoutMillis);

    /** True if the last {@link #poll} found the first descriptor readable, or in error. */
    boolean firstReady();

    /** Like {@link #firstReady}, for the second descriptor. */
    boolean secondReady();
}
