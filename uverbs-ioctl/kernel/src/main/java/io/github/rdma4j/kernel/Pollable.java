// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.syscall.KernelFd;

/**
 * A source of events that come through a file descriptor. One thread can wait for several sources with {@link ReadinessSet}. A program
 * may implement this interface over the descriptor of another source.
 */
public interface Pollable {
    /** The descriptor that is readable when there is an event. */
    Descriptor descriptor();

    /**
     * Whether there is an event that the descriptor does not show, because the event was read from the descriptor already. The code
     * that makes this method return true calls {@link Descriptor#wakeWaiters()} afterwards.
     */
    default boolean hasEvent() {
        return false;
    }

    /** An open file descriptor. The library alone uses the number. Safe for use by several threads. */
    sealed interface Descriptor extends Pollable permits KernelFd {
        /** The file that the descriptor refers to, for messages. */
        String name();

        boolean isClosed();

        /**
         * Makes every thread that waits for the descriptor ask {@link Pollable#hasEvent()} again, and look again for something to
         * read.
         */
        void wakeWaiters();
    }
}
