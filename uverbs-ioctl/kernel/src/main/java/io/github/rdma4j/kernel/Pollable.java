// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** Something that delivers events through a descriptor, so that one thread can wait for several with {@link Readiness}. */
public interface Pollable {
    /** The descriptor that is readable when there is an event. */
    KernelFd descriptor();

    /**
     * Whether there is an event that the descriptor does not tell of, because it was read from there already. Whoever
     * brings such an event about calls {@link KernelFd#wakeWaiters()} of the descriptor afterwards.
     */
    default boolean hasEvent() {
        return false;
    }
}
