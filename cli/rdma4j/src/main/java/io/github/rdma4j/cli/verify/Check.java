// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A check of a device.
 *
 * @param name the subject of the check
 * @param limit the time after which the check fails
 * @param body the check
 */
record Check(String name, Duration limit, Body body) {
    /** Far longer than a device needs. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** The action of a check. */
    @FunctionalInterface
    interface Body {
        /**
         * Checks {@code card}; returns figures, for people.
         *
         * @throws LeftOutException when the check cannot run here
         * @throws Exception when the check has failed
         */
        String run(Card card) throws Exception;
    }

    /** A check of two queue pairs. */
    @FunctionalInterface
    interface WireBody {
        /** As {@link Body#run}. */
        String run(Wire wire) throws Exception;
    }

    /** A check of two queue pairs that are made as {@code setup} says. */
    static Check of(String name, Wire.Setup setup, WireBody body) {
        return of(name, card -> {
            try (Wire wire = Wire.open(card, setup)) {
                return body.run(wire);
            }
        });
    }

    /** A check of the data path. */
    static Check of(String name, Body body) {
        return new Check(name, LIMIT, body);
    }

    /** This check, for devices that are not iWARP's: {@code why} tells what iWARP lacks. */
    Check exceptOnIwarp(String why) {
        return new Check(name, limit, card -> {
            if (card.isIwarp()) {
                throw new LeftOutException("not on this device: iWARP " + why);
            }
            return body.run(card);
        });
    }

    /** A result was not as expected. */
    static final class CheckFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        CheckFailedException(String message) {
            super(message);
        }

        /** Fails unless both are equal. */
        static void expect(String what, @Nullable Object actual, @Nullable Object expected)
                throws CheckFailedException {
            expect(Objects.equals(actual, expected), what + " is " + actual + " and should be " + expected);
        }

        /** Fails with {@code message} unless {@code condition} holds. */
        static void expect(boolean condition, String message) throws CheckFailedException {
            if (!condition) {
                throw new CheckFailedException(message);
            }
        }
    }

    /** A check that cannot run here, and why: the device has no such feature, or a program is not installed. */
    static final class LeftOutException extends Exception {
        private static final long serialVersionUID = 1L;

        LeftOutException(String reason) {
            super(reason);
        }
    }
}
