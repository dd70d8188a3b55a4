// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.internal.flight.Flight;

/** Makes connections known outside of the process. */
@FunctionalInterface
interface Announcement {
    /** Called once, after the first connection was made; does not wait. */
    void of(Connections connections);

    /** By the Flight Recorder and by JMX, on a thread of its own: the first use of JMX loads hundreds of classes. */
    static void start(Connections connections) {
        Thread thread = new Thread(() -> announce(connections), "rdma4j-connections");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            // The connections work without.
        }
    }

    private static void announce(Connections connections) {
        Flight.countConnections(connections::counts);
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
