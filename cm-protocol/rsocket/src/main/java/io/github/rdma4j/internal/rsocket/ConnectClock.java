// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import java.time.Duration;
import java.util.concurrent.Future;
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
    private @Nullable Future<?> timer;
    private @Nullable Wait wait;
    private long since;
    private boolean over;

    /** Creates a clock that calls {@code late} once for each wait that takes longer than {@code limit}; zero for no limit. */
    public ConnectClock(Duration limit, Consumer<Wait> late) {
        this.limit = limit;
        this.late = late;
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
                timer = StreamService.after(limit, () -> tell(what));
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

    private void tell(Wait what) {
        lock.lock();
        try {
            if (wait != what) {
                return;
            }
        } finally {
            lock.unlock();
        }
        late.accept(what);
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
