// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;

/**
 * What a thread or a selector waits for on behalf of a channel. Readiness is told in the bits of poll(2).
 *
 * <p>The descriptor of a socket says itself what is ready. The descriptor of an RDMA connection says only that there are completions:
 * such a source is {@linkplain #isPolled() polled}, and must be asked for its {@link #readiness()} whenever the descriptor is
 * readable, also if nobody is interested, since completions may ask for an answer. Before a sleep the source has to be
 * {@linkplain #arm armed} for what the sleeper waits for. Whoever sleeps on its descriptor is among the waiters of the descriptor,
 * or has been told of by the channel's {@link Keys}, before the source is armed: what one takes from the descriptor, no other sees there.
 */
interface Source {
    /** The descriptor to sleep on. */
    KernelFd descriptor();

    /** Whether {@link #readiness()} tells what is ready, and not the descriptor. */
    default boolean isPolled() {
        return false;
    }

    /** The descriptor of a polled source was found readable: makes it so no longer, and tells whoever else waits for the source. */
    default void taken() {}

    /** Processes what has happened, and returns POLLIN, POLLOUT, POLLERR and POLLHUP as they apply. For a polled source. */
    default int readiness() {
        return 0;
    }

    /**
     * Asks for the next event at the descriptor, in one step with a look at what is ready: other threads may process what has
     * happened. For a polled source; one that tells of each change by itself has nothing to ask for.
     *
     * @param events of POLLIN, POLLOUT, POLLERR and POLLHUP what is waited for; none if nobody is interested
     * @return false if one of {@code events} applies, or something has happened: ask for the {@link #readiness()} again
     */
    default boolean arm(int events) {
        return true;
    }
}
