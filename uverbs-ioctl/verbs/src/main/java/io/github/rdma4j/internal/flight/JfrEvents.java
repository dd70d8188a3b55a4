// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import java.util.function.Supplier;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** The Flight Recorder, and the begin of events that have a duration. */
final class JfrEvents {
    private JfrEvents() {}

    /** True once the process has had a recording. */
    static boolean isOn() {
        return FlightRecorder.isInitialized();
    }

    /** Creates and begins an event; null unless a recording has the event enabled. */
    static <E extends Event> @Nullable E begin(Supplier<E> maker) {
        E event = maker.get();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }
}
