// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

/** Somebody who waits for a {@link KernelFd}. */
public interface Waiting {
    /** The descriptor was closed, or has an event that epoll and poll do not tell of. From any thread, at any time. */
    void signal();
}
