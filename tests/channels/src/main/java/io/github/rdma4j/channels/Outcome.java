// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import java.util.List;

/**
 * What a run of a program shows.
 *
 * @param lines what has to be the same over TCP and over RDMA
 * @param details what helps to understand a failure, such as stacks
 * @param isFailed whether a thread failed, or none got on any more: that is told whatever the time
 * @param isTimely whether no close waited for so long that a limit of the product may have cut it off
 */
public record Outcome(List<String> lines, String details, boolean isFailed, boolean isTimely) {
    /** Copies the lines. */
    public Outcome {
        lines = List.copyOf(lines);
    }

    /** Whether the lines count: no limit of time can have made them. */
    boolean counts() {
        return isFailed || isTimely;
    }
}
