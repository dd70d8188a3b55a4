// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

/**
 * poll(2) for two descriptors, again and again: a wait of a running kernel allocates nothing. For one thread at a time.
 *
 * <p>Made by {@link Syscalls#pollPair()}.
 */
public interface PollPair {
    /**
     * poll(2) for POLLIN: the number of ready descriptors, or minus the error number. Below zero there is no time
     * limit.
     */
    int poll(int first, int second, int timeoutMillis);

    /** Whether the last {@link #poll} found the first descriptor readable, or in error. */
    boolean firstReady();

    /** The same for the second descriptor. */
    boolean secondReady();
}
