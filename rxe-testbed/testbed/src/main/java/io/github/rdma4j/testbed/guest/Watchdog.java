// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a guest from which nothing is heard for too long, and one whose command takes too long. It counts its own ticks
 * and not the clock, so that a launcher that was stopped with Ctrl-Z for an hour does not take its guest for hung.
 */
final class Watchdog {
    /**
     * The limit from the launch to the command's start. A busy machine without KVM needs ten times as long as an idle
     * machine.
     */
    static final int BOOT_SECONDS = 90;

    /** The agent reports every five seconds and is the last that the guest's kernel kills. */
    static final int SILENCE_SECONDS = 60;

    private final Runnable kill;
    private final Optional<Duration> commandLimit;
    private int ticks;
    private boolean started;
    private boolean stopped;
    private boolean frozen;
    private @Nullable GuestFailure verdict;
    private String reason = "";
    private @Nullable Thread limiter;

    Watchdog(Runnable kill, Optional<Duration> commandLimit) {
        this.kill = kill;
        this.commandLimit = commandLimit;
    }

    static Watchdog start(Runnable kill, Optional<Duration> commandLimit) {
        Watchdog watchdog = new Watchdog(kill, commandLimit);
        Daemon.start("watchdog", watchdog::watch);
        return watchdog;
    }

    private void watch() {
        try {
            while (!isOver()) {
                Thread.sleep(1000);
                tick();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Something was heard from the guest. */
    synchronized void heard() {
        if (started) {
            ticks = 0;
        }
    }

    /** The command has started: the limits are its own from now on. */
    synchronized void commandStarted() {
        started = true;
        ticks = 0;
        limiter = commandLimit
                .map(limit -> Daemon.start("timeout", () -> expire(limit)))
                .orElse(null);
    }

    private void expire(Duration limit) {
        try {
            TimeUnit.NANOSECONDS.sleep(Deadline.after(limit).remainingNanos());
            fail(GuestFailure.TIMEOUT, "the command still ran after " + seconds(limit) + " s");
        } catch (InterruptedException e) {
            // The command has ended in time.
            return;
        }
    }

    private static String seconds(Duration limit) {
        return limit.toMillis() % 1000 == 0
                ? String.valueOf(limit.toSeconds())
                : String.valueOf(limit.toMillis() / 1000.0);
    }

    /** Nothing can be heard from a guest that is frozen. */
    synchronized void setFrozen(boolean now) {
        frozen = now;
        ticks = started ? 0 : ticks;
    }

    synchronized void tick() {
        if (frozen) {
            return;
        }
        ticks++;
        if (!started && ticks >= BOOT_SECONDS) {
            fail(GuestFailure.HUNG, "the guest did not start the command within " + BOOT_SECONDS + " s");
        } else if (started && ticks >= SILENCE_SECONDS) {
            fail(GuestFailure.HUNG, "nothing was heard from the guest for " + SILENCE_SECONDS + " s");
        }
    }

    private synchronized void fail(GuestFailure failure, String why) {
        if (!isOver()) {
            verdict = failure;
            reason = why;
            kill.run();
        }
    }

    private synchronized boolean isOver() {
        return stopped || verdict != null;
    }

    /** The guest has ended by itself. */
    synchronized void stop() {
        stopped = true;
        if (limiter != null) {
            limiter.interrupt();
        }
    }

    /** Why the guest was ended, if it was. */
    synchronized @Nullable GuestFailure verdict() {
        return verdict;
    }

    synchronized String reason() {
        return reason;
    }
}
