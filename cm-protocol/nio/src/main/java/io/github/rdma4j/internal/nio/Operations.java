// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.nio.channels.SelectionKey;

/** Between the bits of poll(2) and the operations of selection keys. */
final class Operations {
    private static final int FAILED = SocketCalls.POLLERR | SocketCalls.POLLHUP;
    private static final int INPUT = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;
    private static final int OUTPUT = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

    private Operations() {}

    static int events(int interest) {
        return ((interest & INPUT) != 0 ? SocketCalls.POLLIN : 0)
                | ((interest & OUTPUT) != 0 ? SocketCalls.POLLOUT : 0);
    }

    static boolean hasFailed(int events) {
        return (events & FAILED) != 0;
    }

    /** An error makes everything ready: the operation that follows says what is wrong. */
    static int ready(int events, int interest) {
        if (hasFailed(events)) {
            return interest;
        }
        return ((events & SocketCalls.POLLIN) != 0 ? INPUT & interest : 0)
                | ((events & SocketCalls.POLLOUT) != 0 ? OUTPUT & interest : 0);
    }
}
