// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * The channel that the events of a CM id come through, and the lock at which events that were read wait to take effect.
 * Migration changes the channel, under the lock.
 */
final class IdChannel {
    private final IdLock<Delivery> lock;
    private volatile EventChannel channel;

    IdChannel(EventChannel channel, IdLock<Delivery> lock) {
        this.channel = channel;
        this.lock = lock;
    }

    EventChannel get() {
        return channel;
    }

    IdLock<Delivery> lock() {
        return lock;
    }

    /** The commands of the channel's descriptor. */
    RdmaUcm ucm() {
        return channel.ucm();
    }

    void moveTo(EventChannel to) {
        channel = to;
    }
}
