// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.LeftOutException.leaveOutIf;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A check of a device.
 *
 * @param limit the time after which the check fails
 */
record Check(String name, Duration limit, Body<Card> body) {
    /** Far longer than a device needs. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @FunctionalInterface
    interface Body<T> {
        /**
         * Checks a device by what it gets, such as two queue pairs; returns figures for the report.
         *
         * @throws LeftOutException if the check cannot run here
         * @throws Exception if the check fails
         */
        String run(T subject) throws Exception;
    }

    /** Creates a check of two queue pairs with the properties {@code setup}. */
    static Check of(String name, Wire.Setup setup, Body<Wire> body) {
        return of(name, card -> {
            try (Wire wire = Wire.open(card, setup)) {
                return body.run(wire);
            }
        });
    }

    static Check of(String name, Body<Card> body) {
        return new Check(name, LIMIT, body);
    }

    /** Restricts this check to devices other than iWARP; {@code why} names the feature that iWARP lacks. */
    Check exceptOnIwarp(String why) {
        return new Check(name, limit, card -> {
            leaveOutIf(card.isIwarp(), "not on this device: iWARP " + why);
            return body.run(card);
        });
    }

    /** Thrown when a result differs from the expected result. */
    static final class CheckFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        CheckFailedException(String message) {
            super(message);
        }

        /** Fails unless both values are equal. */
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

    /**
     * Thrown when a check cannot run here, with the reason: the device lacks a feature, or a program is not installed.
     */
    static final class LeftOutException extends Exception {
        private static final long serialVersionUID = 1L;

        LeftOutException(String reason) {
            super(reason);
        }

        /** Leaves the check out if {@code condition} holds. */
        static void leaveOutIf(boolean condition, String reason) throws LeftOutException {
            if (condition) {
                throw new LeftOutException(reason);
            }
        }
    }
}
