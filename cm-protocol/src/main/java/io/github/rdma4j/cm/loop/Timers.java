// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** Actions that run after a delay. Used only by the loop's thread. */
final class Timers {
    /** Half of the range of the clock, so that differences keep their sign. */
    private static final long FOREVER = Long.MAX_VALUE / 2;

    /** A timer that runs later than this is late: the thread was busy when it became due. */
    private static final long LATE_NANOS = 10_000_000;

    private final LongSupplier clock;
    private final TreeSet<Timer> waiting = new TreeSet<>();
    private long made;

    /** Creates timers; {@code clock} counts nanoseconds like {@link System#nanoTime}. */
    Timers(LongSupplier clock) {
        this.clock = clock;
    }

    /** An action with its due time. Actions with the same due time run in the order of creation. */
    static final class Timer implements Comparable<Timer> {
        private final long delay;
        private final long number;
        private final Runnable action;
        private long due;
        private boolean prolonged;

        private Timer(long now, long delay, long number, Runnable action) {
            this.delay = delay;
            this.due = now + delay;
            this.number = number;
            this.action = action;
        }

        @Override
        public int compareTo(Timer other) {
            return due != other.due ? Long.signum(due - other.due) : Long.compare(number, other.number);
        }
    }

    Timer schedule(Duration after, Runnable action) {
        Timer timer = new Timer(clock.getAsLong(), nanos(after), made, action);
        made++;
        waiting.add(timer);
        return timer;
    }

    private static long nanos(Duration duration) {
        try {
            return Math.max(0, Math.min(duration.toNanos(), FOREVER));
        } catch (ArithmeticException centuries) {
            return duration.isNegative() ? 0 : FOREVER;
        }
    }

    /** Cancels a timer. Does nothing if the timer has already run. */
    void cancel(Timer timer) {
        waiting.remove(timer);
    }

    boolean isDue() {
        return !waiting.isEmpty() && remaining() <= 0;
    }

    /**
     * Runs the next action if it is due. An action that is late for the first time is postponed by its lateness, at
     * most by its delay: while the thread was busy, it could not handle the events that the action's time limit waits
     * for.
     */
    void runNextDue() {
        if (waiting.isEmpty()) {
            return;
        }
        long late = -remaining();
        if (late < 0) {
            return;
        }
        Timer next = waiting.pollFirst();
        long more = Math.min(late, next.delay);
        if (late > LATE_NANOS && more > 0 && !next.prolonged) {
            next.prolonged = true;
            next.due += late + more;
            waiting.add(next);
        } else {
            next.action.run();
        }
    }

    /** Returns the time until the next timer is due; empty if there is none. */
    Optional<Duration> untilNext() {
        return waiting.isEmpty() ? Optional.empty() : Optional.of(Duration.ofNanos(Math.max(0, remaining())));
    }

    private long remaining() {
        return waiting.first().due - clock.getAsLong();
    }
}
