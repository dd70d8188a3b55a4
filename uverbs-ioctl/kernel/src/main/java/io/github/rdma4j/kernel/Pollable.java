// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.fd.KernelFd;

/**
 * A source of events behind a file descriptor. One thread can wait for several sources with {@link ReadinessSet}.
 * Programs may implement this interface over the descriptor of another source.
 */
public interface Pollable {
    /** Returns the descriptor that becomes readable when there is an event. */
    Descriptor descriptor();

    /**
     * Returns true if there is an event that the descriptor does not show, because the event was already read from it.
     * Code that makes this method return true must call {@link Descriptor#wakeWaiters()} afterwards.
     */
    default boolean hasEvent() {
        return false;
    }

    /** An open file descriptor, whose number only the library uses. Safe for use by several threads. */
    sealed interface Descriptor extends Pollable permits KernelFd {
        /** Returns the name of the file, for messages. */
        String name();

        /** Returns true once the descriptor is closed. */
        boolean isClosed();

        /**
         * Wakes all threads that wait for the descriptor, so that they check {@link Pollable#hasEvent()} and the
         * descriptor again.
         */
        void wakeWaiters();
    }
}
