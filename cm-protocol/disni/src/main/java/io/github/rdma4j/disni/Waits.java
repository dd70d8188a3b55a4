// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import io.github.rdma4j.internal.fd.Polling;
import io.github.rdma4j.internal.undo.Uninterrupted;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** DiSNI's waits: no interrupt ends them, because libdisni does not notice an interrupt. */
final class Waits {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private Waits() {}

    /** {@code millis} milliseconds, or no limit for a negative number. */
    static Duration millis(int millis) {
        return millis < 0 ? FOREVER : Duration.ofMillis(millis);
    }

    /**
     * Takes the next event of {@code channel}, with as many system calls as libdisni makes: the clock is not read, so
     * an interrupt, or a wake-up that brings no event, starts the time again.
     *
     * @return false if {@code millis} milliseconds passed without an event; a negative number is no limit
     */
    static boolean takeEvent(CompletionChannel channel, int millis) throws RdmaException {
        long nanos = millis < 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millis);
        return Uninterrupted.await(Long.MAX_VALUE, (now, left) -> {
            boolean event = false;
            while (!event && Polling.awaitRoughly(channel, nanos)) {
                event = channel.awaitEvent(Duration.ZERO).isPresent();
            }
            return event;
        });
    }
}
