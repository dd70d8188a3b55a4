// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import java.util.List;

/**
 * A program whose outcome is determined although its threads race.
 *
 * @param <T> what it runs on
 */
public interface Program<T> {
    /** Runs the program. */
    Outcome run(T transport) throws InterruptedException;

    /** The program without one of its parts, in all ways; none if there is nothing to leave out. */
    List<? extends Program<T>> smaller();
}
