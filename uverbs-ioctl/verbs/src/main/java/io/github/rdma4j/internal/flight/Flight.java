// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import io.github.rdma4j.internal.flight.Spans.Command;
import io.github.rdma4j.internal.flight.Spans.Connection;
import io.github.rdma4j.internal.flight.Spans.Queue;
import io.github.rdma4j.internal.flight.Spans.Registration;
import org.jspecify.annotations.Nullable;

/**
 * The Flight Recorder, if this JRE has it. Each method returns null unless a recording has the event enabled: then
 * nothing is recorded, and the caller does nothing more. All events are disabled by default.
 */
public final class Flight {
    private static final boolean AVAILABLE = isAvailable();

    private Flight() {}

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
        return AVAILABLE ? JfrCmCommand.start() : null;
    }

    /** Whether events of the connection manager are recorded, by {@link #event}. */
    public static boolean recordsEvents() {
        return AVAILABLE && JfrCmEvent.isRecorded();
    }

    /** Records an event of the connection manager. */
    public static void event(CmEventFacts facts) {
        JfrCmEvent.record(facts);
    }

    /** Begins the life of a connection. */
    public static @Nullable Connection connection() {
        return AVAILABLE ? JfrCmConnection.start() : null;
    }

    /** Begins the registration of memory. */
    public static @Nullable Registration registration() {
        return AVAILABLE ? JfrMemoryRegistration.start() : null;
    }

    /** Begins the life of a queue pair, a shared receive queue or a completion queue. */
    public static @Nullable Queue queue() {
        return AVAILABLE ? JfrQueueStatistics.start() : null;
    }
}
