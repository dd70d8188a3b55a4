// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.MembershipRegistry.Listener;
import io.github.rdma4j.sm.MulticastMembership.Event;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listeners of a registry. Safe for use by several threads. */
final class RegistryListeners {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    void add(Listener listener) {
        listeners.add(listener);
    }

    void remove(Listener listener) {
        listeners.remove(listener);
    }

    void deliver(Event event) {
        for (Listener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (RuntimeException | Error e) {
                report(e); // a failing listener must not end the other memberships
            }
        }
    }

    /** Gives an exception to the thread's handler of uncaught exceptions. */
    static void report(Throwable thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }
}
