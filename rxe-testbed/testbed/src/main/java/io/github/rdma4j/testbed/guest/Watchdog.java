// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.machine.GuestFailure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a guest that gives no sign of life for too long, or whose command takes too long. For signs of life it counts
 * ticks and does not read the clock, so that stopping the launcher with Ctrl-Z does not make the guest look hung.
 */
final class Watchdog {
    /**
     * The limit from the launch to the command's start. A busy machine without KVM needs ten times the time of an idle
     * machine.
     */
    static final int BOOT_SECONDS = 180;

    /** The agent reports every 5 s, and the guest's kernel kills it last. */
    static final int SILENCE_SECONDS = 60;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Runnable kill;
    private final int commandSeconds;
    private Deadline endOfCommand = Deadline.never();
    private int ticks;
    private boolean started;
    private boolean stopped;
    private boolean frozen;
    private @Nullable GuestFailure verdict;
    private String reason = "";

    /**
     * A watchdog whose {@link #tick} the caller calls.
     *
     * @param commandSeconds the limit of the command; 0 for no limit
     */
    Watchdog(Runnable kill, int commandSeconds) {
        this.kill = kill;
        this.commandSeconds = commandSeconds;
    }

    /** A watchdog that ticks each second, and at the end of the command's limit. */
    static Watchdog start(Runnable kill, int commandSeconds) {
        Watchdog watchdog = new Watchdog(kill, commandSeconds);
        Daemon.start("watchdog", watchdog::watch);
        return watchdog;
    }

    private void watch() {
        try {
            while (!isOver()) {
                TimeUnit.NANOSECONDS.sleep(Math.min(SECOND, nanosOfCommand()));
                tick();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized long nanosOfCommand() {
        return endOfCommand.remainingNanos();
    }

    /** The guest gave a sign of life. */
    synchronized void heard() {
        if (started) {
            ticks = 0;
        }
    }

    /** The command has started; from now on its limits apply. */
    synchronized void commandStarted() {
        started = true;
        ticks = 0;
        if (commandSeconds > 0) {
            endOfCommand = Deadline.after(Duration.ofSeconds(commandSeconds));
        }
    }

    /** A frozen guest gives no sign of life. */
    synchronized void setFrozen(boolean now) {
        frozen = now;
        ticks = started ? 0 : ticks;
    }

    synchronized void tick() {
        if (endOfCommand.expired()) {
            fail(GuestFailure.TIMEOUT, "the command still ran after " + commandSeconds + " s");
        }
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

    private void fail(GuestFailure failure, String why) {
        if (!isOver()) {
            verdict = failure;
            reason = why;
            kill.run();
        }
    }

    private synchronized boolean isOver() {
        return stopped || verdict != null;
    }

    /** The guest has ended without the watchdog. */
    synchronized void stop() {
        stopped = true;
    }

    /** The failure for which the guest was ended; null if it was not ended. */
    synchronized @Nullable GuestFailure verdict() {
        return verdict;
    }

    synchronized String reason() {
        return reason;
    }
}
