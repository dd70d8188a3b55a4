// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Waits that no interrupt ends, as those of poll(2): libdisni does not notice an interrupt. */
final class Waits {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private Waits() {}

    /** A wait of rdma4j. */
    interface Wait<T> {
        Optional<T> until(Duration limit) throws IOException, InterruptedException;
    }

    /**
     * Waits {@code millis} milliseconds, or without limit for a negative number. An interrupt stays pending, and the time starts again
     * with an interrupt that comes meanwhile.
     */
    static <T> Optional<T> uninterruptibly(int millis, Wait<T> wait) throws IOException {
        boolean interrupted = Thread.interrupted();
        Duration limit = millis < 0 ? FOREVER : Duration.ofMillis(millis);
        try {
            while (true) {
                try {
                    return wait.until(limit);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
