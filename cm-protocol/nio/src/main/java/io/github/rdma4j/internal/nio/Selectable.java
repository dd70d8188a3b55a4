// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;

/** A channel as its selectors see it: with the operations of selection keys, where its source has the bits of poll(2). */
interface Selectable extends Channel {
    int INPUT = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;
    int OUTPUT = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

    /** What to wait for; another source when the channel has connected, or listens. */
    Source source();

    /** The keys of the channel. */
    Keys keys();

    /** The bits of poll(2) to wait for, for the operations of a key's interest set. */
    default int events(int interest) {
        return ((interest & INPUT) != 0 ? SocketCalls.POLLIN : 0)
                | ((interest & OUTPUT) != 0 ? SocketCalls.POLLOUT : 0);
    }

    /** Refuses the use of a closed channel. */
    default void checkOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    static boolean hasFailed(int events) {
        return (events & (SocketCalls.POLLERR | SocketCalls.POLLHUP)) != 0;
    }

    /**
     * The operations of {@code interest} that the bits of poll(2) in {@code events} make ready. An error makes all of them ready: the
     * operation that follows says what is wrong.
     */
    default int operations(int events, int interest) {
        if (hasFailed(events)) {
            return interest;
        }
        return ((events & SocketCalls.POLLIN) != 0 ? INPUT & interest : 0)
                | ((events & SocketCalls.POLLOUT) != 0 ? OUTPUT & interest : 0);
    }
}
