// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The keys of a channel, so that its selectors can be told of what no descriptor shows, and the channel keeps its descriptor as long
 * as one of them holds it. Safe for use by several threads.
 */
final class Keys {
    private final AbstractSelectableChannel channel;
    private final Runnable close;
    private final List<Member> keys = new CopyOnWriteArrayList<>();
    private volatile boolean closing;

    /** A key. */
    interface Member {
        /** The channel has a new source, or a source that is ready although its descriptor is not. */
        void tell();
    }

    /** The keys of {@code channel}; {@code close} gives back its descriptor. */
    Keys(AbstractSelectableChannel channel, Runnable close) {
        this.channel = channel;
        this.close = close;
    }

    @SuppressWarnings("CheckReturnValue")
    void add(Member added) {
        keys.add(added);
    }

    @SuppressWarnings("CheckReturnValue")
    void remove(Member removed) {
        keys.remove(removed);
    }

    /** Whether several selectors have the channel: what one takes from the descriptor, the others do not see. */
    boolean isShared() {
        return keys.size() > 1;
    }

    /** Makes each selector look at the channel again, also in the middle of a selection. Does not wait. */
    void tell() {
        for (Member key : keys) {
            key.tell();
        }
    }

    /** The channel is closed. From here on a selector that drops the key gives back the descriptor, if no other holds it. */
    void close(KernelFd descriptor) {
        closing = true;
        descriptor.wakeWaiters();
        released();
    }

    /** A selector has dropped its key. */
    void released() {
        if (closing && !channel.isRegistered()) {
            close.run();
        }
    }
}
