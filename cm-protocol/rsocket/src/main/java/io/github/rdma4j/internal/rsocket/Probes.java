// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import java.time.Duration;

/**
 * When the peer's device is asked whether it still answers, as the options of TCP say.
 *
 * @param idle the time from an answer to the next question, and before the first; zero asks never
 * @param interval how often a missing answer is counted
 * @param count the intervals without an answer after which the connection has timed out
 */
public record Probes(Duration idle, Duration interval, int count) {
    private static final int UNANSWERED = 10;
    private static final Duration LEAST_SILENCE = Duration.ofSeconds(10);

    /** The device is never asked. */
    public static final Probes NEVER = new Probes(Duration.ZERO, Duration.ZERO, 0);

    /** A question after each {@code period}; the connection has timed out after ten periods, and 10 s, without an answer. */
    public static Probes every(Duration period) {
        if (period.isZero()) {
            return NEVER;
        }
        long least = Math.min(LEAST_SILENCE.dividedBy(period) + 1, Integer.MAX_VALUE);
        return new Probes(period, period, (int) Math.max(UNANSWERED, least));
    }
}
