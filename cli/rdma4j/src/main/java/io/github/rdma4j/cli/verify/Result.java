// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import java.time.Duration;

/**
 * The result of a check.
 *
 *
 * @param name the name of the check
 * @param outcome the outcome
 * @param time the duration of the check
 * @param detail figures, the failure, or the reason why the check was left out
 */
record Result(String name, Outcome outcome, Duration time, String detail) {
    /** The outcome of a check. */
    enum Outcome {
        PASSED("passed"),
        FAILED("FAILED"),
        LEFT_OUT("left out");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    boolean is(Outcome other) {
        return outcome == other;
    }

    /** The first line of the detail. */
    String summary() {
        return detail.lines().findFirst().orElse("");
    }
}
