// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.mad.MadHeader;
import java.time.Duration;
import java.util.Optional;

/**
 * How a client of subnet administration deals with silence.
 *
 * @param firstTimeout how long the first attempt of a request waits, every further one twice as long as the one before;
 *     empty: the response time of subnet administration's ClassPortInfo (1.07 s until it is known) and 1.07 s for the
 *     way there and back
 * @param attempts how often a request is sent before it fails
 * @param maxReplyBytes the longest answer that is put together from segments
 */
public record SaOptions(Optional<Duration> firstTimeout, int attempts, int maxReplyBytes) {
    private static final int DEFAULT_ATTEMPTS = 4;
    private static final int DEFAULT_MAX_REPLY = 64 << 20;
    private static final int MAX_ATTEMPTS = 16;

    /** Throws {@link IllegalArgumentException} for what makes no sense. */
    public SaOptions {
        if (firstTimeout.isPresent() && firstTimeout.get().toMillis() <= 0) {
            throw new IllegalArgumentException("a timeout of " + firstTimeout.get() + " is less than a millisecond");
        }
        if (attempts < 1 || attempts > MAX_ATTEMPTS) {
            throw new IllegalArgumentException(attempts + " attempts are not in 1.." + MAX_ATTEMPTS);
        }
        if (maxReplyBytes < MadHeader.MAD_BYTES) {
            throw new IllegalArgumentException("an answer has at least " + MadHeader.MAD_BYTES + " bytes");
        }
    }

    public static SaOptions defaults() {
        return new SaOptions(Optional.empty(), DEFAULT_ATTEMPTS, DEFAULT_MAX_REPLY);
    }

    /** The same with a fixed first timeout. */
    public SaOptions withFirstTimeout(Duration timeout) {
        return new SaOptions(Optional.of(timeout), attempts, maxReplyBytes);
    }

    /** The same with another number of attempts. */
    public SaOptions withAttempts(int number) {
        return new SaOptions(firstTimeout, number, maxReplyBytes);
    }

    /** The same with another limit for answers of several segments. */
    public SaOptions withMaxReplyBytes(int bytes) {
        return new SaOptions(firstTimeout, attempts, bytes);
    }
}
