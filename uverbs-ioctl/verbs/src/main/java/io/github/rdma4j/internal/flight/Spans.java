// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import java.util.Set;

/** Events of the Flight Recorder that have begun and record themselves when they end. */
public final class Spans {
    private Spans() {}

    /** A command of the connection manager. */
    public interface Command {
        /**
         * Ends and records the command.
         *
         * @param id the kernel's handle of the id; -1 without one
         * @param queuePair the number of the queue pair in a CONNECT or ACCEPT; 0 in others
         * @param address the address in the command; empty without one
         * @param errno 0, or the kernel's error number
         */
        void end(String name, int id, int queuePair, String address, int errno);
    }

    /** A connection. */
    public interface Connection {
        /**
         * Ends and records the connection.
         *
         * @param id the kernel's handle of the id
         * @param local the own address; empty if it is not known
         * @param peer the peer's address; empty if it is not known
         * @param end the state that the id is in now
         */
        void end(int id, String local, String peer, String end);
    }

    /** A registration of memory. */
    public interface Registration {
        /** Ends and records a registration. */
        void end(long bytes, Set<?> access, int localKey);

        /** Ends and records a registration that failed. */
        void fail(long bytes, Set<?> access, int errno);
    }

    /** The life of a queue. */
    public interface Queue {
        /**
         * Ends and records the queue.
         *
         * @param kind the class of the queue
         * @param number the queue pair number, or the handle of a completion queue
         */
        void end(String kind, String device, int number, QueueCounters counters);
    }
}
