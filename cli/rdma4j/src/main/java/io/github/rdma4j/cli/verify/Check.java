// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import java.time.Duration;

/**
 * A check of a device.
 *
 * @param name what is checked
 * @param limit after which the check has failed
 * @param body the check
 */
record Check(String name, Duration limit, Body body) {
    /** Far longer than a device needs, and short enough for the rest to have its turn. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** What a check does. */
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

    /** A check of the data path. */
    static Check of(String name, Body body) {
        return new Check(name, LIMIT, body);
    }
}
