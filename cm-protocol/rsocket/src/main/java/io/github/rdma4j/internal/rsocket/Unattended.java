// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Streams whose programs may be busy elsewhere. What has come for them is taken now and then, which costs no system call. A peer
 * that fills a small buffer gets the full one so: a write to a program that does not read yet succeeds, as over TCP. And
 * connections that wait to be accepted keep no receives that others share. Safe for use by several threads.
 */
final class Unattended {
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Set<BooleanSupplier> STREAMS = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean STARTED = new AtomicBoolean();

    private Unattended() {}

    /** Has somebody look after streams: {@code look} takes what has come, and returns false if this was the last time. */
    static void add(BooleanSupplier look) {
        STREAMS.add(look);
        start();
    }

    private static void start() {
        if (STARTED.compareAndSet(false, true)) {
            Future<?> unused = StreamService.after(PERIOD, Unattended::look);
        }
    }

    private static void look() {
        try {
            STREAMS.removeIf(look -> !look.getAsBoolean());
        } finally {
            STARTED.set(false);
            if (!STREAMS.isEmpty()) {
                start();
            }
        }
    }
}
