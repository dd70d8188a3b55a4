// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The options of a {@link SaClient}: the repetition of requests and the size of answers. Immutable. */
public final class SaOptions {
    /** The first timeout from the response time of subnet administration, 4 attempts, answers of up to 64 MiB. */
    public static final SaOptions DEFAULT = builder().build();

    private final Builder values;

    private SaOptions(Builder values) {
        this.values = values;
    }

    /** Returns a builder in which every option has its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** The timeout of the first attempt; empty to derive it from the response time of subnet administration. */
    public Optional<Duration> firstTimeout() {
        return Optional.ofNullable(values.firstTimeout);
    }

    /** The number of attempts before a request fails. */
    public int attempts() {
        return values.attempts;
    }

    /** The longest answer, in bytes. */
    public int maxReplyBytes() {
        return values.maxReplyBytes;
    }

    @Override
    public String toString() {
        return "SaOptions[first timeout " + (values.firstTimeout == null ? "by response time" : values.firstTimeout)
                + ", attempts " + values.attempts + ", answers up to " + values.maxReplyBytes + " bytes]";
    }

    /** Collects options. Mutable; for one thread. */
    public static final class Builder {
        private static final int MAX_ATTEMPTS = 16;

        private @Nullable Duration firstTimeout;
        private int attempts = 4;
        private int maxReplyBytes = 64 << 20;

        private Builder() {}

        private Builder(Builder other) {
            firstTimeout = other.firstTimeout;
            attempts = other.attempts;
            maxReplyBytes = other.maxReplyBytes;
        }

        /**
         * The timeout of the first attempt, at least 1 ms; each further attempt doubles it. Unless set: the response
         * time of subnet administration's ClassPortInfo (1.07 s until it is known, at most 4.3 s), plus 1.07 s for the
         * round trip. A transport that delivers single segments gets another 40 s for an answer that keeps arriving.
         */
        public Builder firstTimeout(Duration timeout) {
            if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
                throw new IllegalArgumentException("firstTimeout is " + timeout + "; it must be 1 ms or more");
            }
            firstTimeout = timeout;
            return this;
        }

        /** The number of attempts before a request fails, 1 to 16; 4 unless set. */
        public Builder attempts(int number) {
            if (number < 1 || number > MAX_ATTEMPTS) {
                throw new IllegalArgumentException("attempts is " + number + "; it must be from 1 to " + MAX_ATTEMPTS);
            }
            attempts = number;
            return this;
        }

        /** The longest answer, 256 bytes or more; 64 MiB unless set. */
        public Builder maxReplyBytes(int bytes) {
            if (bytes < MadHeader.MAD_BYTES) {
                throw new IllegalArgumentException(
                        "maxReplyBytes is " + bytes + "; it must be " + MadHeader.MAD_BYTES + " or more");
            }
            maxReplyBytes = bytes;
            return this;
        }

        /** Returns the options. */
        public SaOptions build() {
            return new SaOptions(new Builder(this));
        }
    }
}
