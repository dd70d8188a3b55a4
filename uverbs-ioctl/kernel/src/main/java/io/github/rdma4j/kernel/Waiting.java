// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** Somebody who waits for a {@link KernelFd}. */
interface Waiting {
    /** The descriptor was closed, or has an event that epoll and poll do not tell of. From any thread, at any time. */
    void signal();
}
