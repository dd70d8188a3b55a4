// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * The event channel of a CM id, and the lock that delays retrieved events. Migration changes the channel under the
 * lock.
 */
final class IdChannel {
    private final IdLock lock;
    private volatile Retrieval channel;

    IdChannel(Retrieval channel, IdLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    Retrieval get() {
        return channel;
    }

    IdLock lock() {
        return lock;
    }

    /** Returns the commands of the channel's descriptor. */
    RdmaUcm ucm() {
        return channel.ucm();
    }

    void moveTo(Retrieval to) {
        channel = to;
    }
}
