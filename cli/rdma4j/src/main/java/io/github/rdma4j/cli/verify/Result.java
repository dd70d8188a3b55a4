// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import java.time.Duration;

/**
 * The result of a check.
 *
 * @param name of the check
 * @param outcome whether the check passed
 * @param time the time that the check took
 * @param detail figures; the failure; or why the check was left out
 */
record Result(String name, Outcome outcome, Duration time, String detail) {
    /** The ways in which a check ends. */
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
