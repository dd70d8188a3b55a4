// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * The channel that the events of a CM id come through, and the lock at which events that were read wait to take effect.
 * Migration changes the channel, under the lock.
 *
 * @param <E> what an event becomes for the user
 */
final class IdChannel<E> {
    private final IdLock<Delivery<E>> lock;
    private volatile Retrieval<E> channel;

    IdChannel(Retrieval<E> channel, IdLock<Delivery<E>> lock) {
        this.channel = channel;
        this.lock = lock;
    }

    Retrieval<E> get() {
        return channel;
    }

    IdLock<Delivery<E>> lock() {
        return lock;
    }

    /** The commands of the channel's descriptor. */
    RdmaUcm ucm() {
        return channel.ucm();
    }

    void moveTo(Retrieval<E> to) {
        channel = to;
    }
}
