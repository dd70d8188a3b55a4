// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

/** The queue pairs of an iWARP device in memory, which the kernel's connection manager moves. */
public interface IwarpQueuePairs {
    /** Moves two queue pairs, which are each other's peers, to RTS. */
    void connect(int qpn, int peer);

    /** Ends the connection of a queue pair, which then flushes its posted requests. */
    void disconnect(int qpn);

    /**
     * A connection manager in memory, which serves its own kernel's device until {@link #serve} selects another device.
     */
    interface Manager {
        /** Serves the device with {@code queuePairs} from now on. */
        void serve(IwarpQueuePairs queuePairs);
    }
}
