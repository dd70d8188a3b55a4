// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.cm.Shortage;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Says on a listener's side what the listener has run out of: at first, and again from time to time. Safe for use by several threads. */
final class ShortageReports {
    private static final System.Logger LOGGER = System.getLogger("io.github.rdma4j.rsocket");
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private volatile Consumer<Throwable> also = why -> {};

    /** When to speak again, as {@link System#nanoTime} tells it. */
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    /** Without descriptors, no class can be loaded, no log configured, and no time written that nobody has written before. */
    static void prepare() {
        Shortage unused = Shortage.of(new RdmaException("nothing is missing"));
        boolean unusedToo = LOGGER.isLoggable(System.Logger.Level.WARNING);
        ZoneRules unusedTooHere = ZoneId.systemDefault().getRules();
    }

    /** Sets who else is told. */
    void also(Consumer<Throwable> action) {
        also = action;
    }

    /** The listener has refused a client. */
    void refused(InetSocketAddress listener, Throwable why) {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + SILENCE.toNanos())) {
            return;
        }
        String reason = why.getCause() == null ? "" : " (" + why.getCause().getMessage() + ")";
        try {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the listener at " + listener + " refuses connections: " + why.getMessage() + reason);
        } catch (RuntimeException | Error thrown) {
            StreamService.report(thrown);
        }
        try {
            also.accept(why);
        } catch (RuntimeException | Error thrown) {
            StreamService.report(thrown);
        }
    }
}
