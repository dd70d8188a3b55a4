// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The device, or a program, did something else than it should. */
final class CheckFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    CheckFailedException(String message) {
        super(message);
    }

    /** Fails unless both are equal. */
    static void expect(String what, @Nullable Object actual, @Nullable Object expected) throws CheckFailedException {
        expect(Objects.equals(actual, expected), what + " is " + actual + " and should be " + expected);
    }

    /** Fails with {@code message} unless {@code condition} holds. */
    static void expect(boolean condition, String message) throws CheckFailedException {
        if (!condition) {
            throw new CheckFailedException(message);
        }
    }
}
