// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.internal.flight.ConnectionCounts;
import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.util.function.Supplier;

/** Makes connections known outside of the process. */
@FunctionalInterface
interface Announcement {
    /** Called once, after the first connection or listener was made; does not wait. */
    void of(ConnectionsMXBean connections, Supplier<ConnectionCounts> counts);

    /** By the Flight Recorder and by JMX, on a thread of its own: the first use of JMX loads hundreds of classes. */
    static void start(ConnectionsMXBean connections, Supplier<ConnectionCounts> counts) {
        Thread thread = new Thread(() -> announce(connections, counts), "rdma4j-connections");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            // The connections work without.
        }
    }

    private static void announce(ConnectionsMXBean connections, Supplier<ConnectionCounts> counts) {
        Flight.countConnections(counts);
        if (hasManagement()) {
            Registration.register(connections);
        }
    }

    private static boolean hasManagement() {
        try {
            Class.forName("java.lang.management.ManagementFactory");
            return true;
        } catch (ClassNotFoundException noModule) {
            return false;
        }
    }
}
