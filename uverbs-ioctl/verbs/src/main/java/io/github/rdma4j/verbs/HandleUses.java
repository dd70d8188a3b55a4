// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the commands that use a handle. After {@link #end}, no command uses the handle any more. Allocates nothing, so
 * that the count is right when memory runs out.
 */
final class HandleUses {
    private static final int OVER = Integer.MIN_VALUE;

    /** The number of commands in progress, and {@link #OVER} after the end. */
    private final AtomicInteger state = new AtomicInteger();

    /** Begins a command, which must end with {@link #leave}; returns false after the end. */
    boolean enter() {
        int observed;
        do {
            observed = state.get();
            if (observed < 0) {
                return false;
            }
        } while (!state.compareAndSet(observed, observed + 1));
        return true;
    }

    void leave() {
        if (state.decrementAndGet() == OVER) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    boolean isOver() {
        return state.get() < 0;
    }

    /** Refuses further commands and waits for those in progress. Called once. */
    void end() {
        state.addAndGet(OVER);
        boolean interrupted = false;
        synchronized (this) {
            while (state.get() != OVER) {
                interrupted |= Monitors.isInterruptedWhileWaiting(this);
            }
        }
        Monitors.restore(interrupted);
    }
}
