// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The clock of an attempt to connect. It runs while others have to answer: while the address and the route are resolved,
 * and, from the moment that the request has left, until the peer has answered. It stands still while this process gets
 * ready: loads classes, starts threads, opens devices, registers memory. Safe for use by several threads.
 */
public final class ConnectClock {
    /** A clock that nobody looks at. */
    static final ConnectClock NONE = new ConnectClock(Duration.ZERO, wait -> {});

    /** In this time a loop that has nothing else to do takes the events that are there. */
    private static final Duration GRACE = Duration.ofMillis(50);

    /** How often the loop has to have nothing else to do. */
    private static final int QUIET_LOOKS = 3;

    /** What an attempt waits for. */
    public enum Wait {
        /** The address and the route of the peer. Nothing was sent to the peer yet. */
        RESOLVING,
        /** The peer's answer to the request. */
        ANSWER
    }

    private final Duration limit;
    private final Consumer<Wait> late;
    private final ReentrantLock lock = new ReentrantLock();

    /** What the answers come through. */
    private volatile Executor loop = Runnable::run;

    private @Nullable Future<?> timer;
    private @Nullable Wait wait;
    private long since;
    private boolean over;

    /**
     * Creates a clock that calls {@code late} for each wait that takes longer than {@code limit}, on the thread that all connects
     * share; zero for no limit.
     */
    public ConnectClock(Duration limit, Consumer<Wait> late) {
        this.limit = limit;
        this.late = late;
    }

    /** The attempt begins, and {@code shared} hears the answers. */
    void begin(Executor shared) {
        if (!limit.isZero()) {
            loop = shared;
        }
    }

    void resolving() {
        start(Wait.RESOLVING);
    }

    void resolved() {
        stop(false);
    }

    void sent() {
        start(Wait.ANSWER);
    }

    void over() {
        stop(true);
    }

    private void start(Wait what) {
        if (limit.isZero()) {
            return;
        }
        lock.lock();
        try {
            if (!over) {
                wait = what;
                since = System.nanoTime();
                timer = StreamService.after(limit, () -> tell(what, 0));
            }
        } finally {
            lock.unlock();
        }
    }

    private void stop(boolean forGood) {
        if (limit.isZero()) {
            return;
        }
        lock.lock();
        try {
            over |= forGood;
            wait = null;
            if (timer != null) {
                boolean unused = timer.cancel(false);
                timer = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The limit is over, but what the loop is doing, or what waits for the loop, may be the answer: it counts while the loop is busy. */
    private void tell(Wait what, int quietLooks) {
        long asked = System.nanoTime();
        onLoop(() -> {
            if (isWaiting(what)) {
                boolean quiet = System.nanoTime() - asked < GRACE.toNanos();
                if (quiet && quietLooks == QUIET_LOOKS) {
                    late.accept(what);
                } else {
                    Future<?> unused = StreamService.after(GRACE, () -> tell(what, quiet ? quietLooks + 1 : 0));
                }
            }
        });
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it the attempt.
        }
    }

    private boolean isWaiting(Wait what) {
        lock.lock();
        try {
            return wait == what;
        } finally {
            lock.unlock();
        }
    }

    /** How long the peer has owed its answer by now; zero if it owes none. */
    public Duration unanswered() {
        lock.lock();
        try {
            return wait == Wait.ANSWER ? Duration.ofNanos(System.nanoTime() - since) : Duration.ZERO;
        } finally {
            lock.unlock();
        }
    }
}
