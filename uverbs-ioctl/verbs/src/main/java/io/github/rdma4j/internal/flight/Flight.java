// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import io.github.rdma4j.internal.flight.QueueStatistics.QueueCounters;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder, if this JRE has it. Each method returns null unless a recording has the event enabled: with
 * null, the caller records nothing. All events are disabled by default.
 */
public final class Flight {
    private static final boolean AVAILABLE = isAvailable();

    private Flight() {}

    /**
     * True if a recording may have an event enabled. Until then, no event class is used: the first use makes the JVM
     * initialize the whole Flight Recorder, which took a fifth of the time to the first completion.
     */
    private static boolean isOn() {
        return AVAILABLE && JfrEvents.isOn();
    }

    private static boolean isAvailable() {
        try {
            Class.forName("jdk.jfr.FlightRecorder");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Begins a command of the connection manager. */
    public static @Nullable Command command() {
        return isOn() ? JfrCmCommand.start() : null;
    }

    /** True if {@link #event} records events of the connection manager. */
    public static boolean recordsEvents() {
        return isOn() && JfrCmEvent.isRecorded();
    }

    /** Records an event of the connection manager. */
    public static void event(CmEventFacts facts) {
        JfrCmEvent.record(facts);
    }

    /** True if {@link #route} records the routes of connections. */
    public static boolean recordsRoutes() {
        return isOn() && JfrChannelRoute.isRecorded();
    }

    /** Records the route of a connection. */
    public static void route(RouteFacts facts) {
        JfrChannelRoute.record(facts);
    }

    /** From now on, recordings have the counts of connections. For one caller, who may have to wait. */
    public static void countConnections(Supplier<ConnectionCounts> counts) {
        if (AVAILABLE) {
            JfrConnections.count(counts);
        }
    }

    /** Begins the life of a connection. */
    public static @Nullable Connection connection() {
        return isOn() ? JfrCmConnection.start() : null;
    }

    /** Begins the registration of memory. */
    public static @Nullable Registration registration() {
        return isOn() ? JfrMemoryRegistration.start() : null;
    }

    /** Begins the life of a queue pair, a shared receive queue or a completion queue. */
    public static @Nullable Queue queue() {
        return isOn() ? JfrQueueStatistics.start() : null;
    }

    /**
     * The recorded fields of an event of the connection manager.
     *
     * @param type the name of the type
     * @param id the kernel's handle of the id; of the new id for a CONNECT_REQUEST
     * @param uid the number by which this library knows the id; the listener's for a CONNECT_REQUEST
     * @param status 0, a negative errno, or a positive code of the transport
     * @param queuePair the number of the peer's queue pair; 0 without one
     * @param privateDataLength bytes of private data, as the kernel reports them: as many as the message has room for
     */
    public record CmEventFacts(String type, int id, long uid, int status, int queuePair, int privateDataLength) {}

    /**
     * The recorded fields of the route of a channel's connection.
     *
     * @param side connect or accept
     * @param peer the peer's address
     * @param transport RDMA or TCP
     * @param reason why this transport was chosen
     */
    public record RouteFacts(String side, String peer, String transport, String reason) {}

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
