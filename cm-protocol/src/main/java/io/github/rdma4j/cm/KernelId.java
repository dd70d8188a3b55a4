// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * A CM id as the kernel knows it: a number, and the descriptor that the number counts on. Migration changes the latter,
 * under the id's lock.
 */
final class KernelId {
    private final int handle;
    private volatile EventChannel channel;

    KernelId(EventChannel channel, int handle) {
        this.channel = channel;
        this.handle = handle;
    }

    int handle() {
        return handle;
    }

    EventChannel channel() {
        return channel;
    }

    void moveTo(EventChannel to) {
        channel = to;
    }

    /** The commands of the descriptor that the id is on. */
    RdmaUcm ucm() {
        return channel.ucm();
    }
}
