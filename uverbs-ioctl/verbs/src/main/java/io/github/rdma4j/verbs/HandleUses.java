// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Counts the commands that use a handle. After {@link #end}, no command uses the handle. */
final class HandleUses {
    private static final int OVER = Integer.MIN_VALUE;

    /** The number of commands in progress, and {@link #OVER} after the end. */
    private final AtomicInteger state = new AtomicInteger();

    /** The thread that waits for the last command. */
    private volatile @Nullable Thread ending;

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
            LockSupport.unpark(ending);
        }
    }

    boolean isOver() {
        return state.get() < 0;
    }

    /** Refuses further commands and waits for those in progress. Called once. */
    void end() {
        ending = Thread.currentThread();
        state.addAndGet(OVER);
        boolean interrupted = false;
        while (state.get() != OVER) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
