// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

/** The queue pairs of an iWARP device in memory, which the connection manager of the kernel moves. */
public interface IwarpQueuePairs {
    /** Moves two queue pairs, which name each other as peers, to RTS. */
    void connect(int qpn, int peer);

    /** Ends the connection of a queue pair, which then flushes what is posted. */
    void disconnect(int qpn);

    /** A connection manager in memory, which serves the device of its own kernel until it is told of another device. */
    interface Manager {
        /** Serves the device that has {@code queuePairs} from now on. */
        void serve(IwarpQueuePairs queuePairs);
    }
}
