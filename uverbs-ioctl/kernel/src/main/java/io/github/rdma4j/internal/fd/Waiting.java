// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

/** Callback of a thread that waits for a {@link KernelFd}. */
public interface Waiting {
    /**
     * Called when the descriptor was closed, or has an event that epoll and poll do not report. Called by any thread,
     * at any time.
     */
    void signal();
}
