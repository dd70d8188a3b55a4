// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.turns.Spread;
import java.util.List;

/**
 * A row with what was measured for it.
 *
 * @param name the row's name, with the guest's suffix
 * @param row the row
 * @param guest where it was measured
 * @param c the figure of each turn; empty if there is nothing in C
 * @param java the figure of each turn
 */
record Result(String name, Row row, Guest guest, List<Double> c, List<Double> java) {
    boolean isCompared() {
        return !c.isEmpty();
    }

    Spread ofC() {
        return Spread.of(c);
    }

    Spread ofJava() {
        return Spread.of(java);
    }

    /** Java to C, turn by turn. */
    Spread ratio() {
        return Spread.ofRatios(java, c);
    }

    /** A row that is not compared misses no aim. */
    boolean meetsAim() {
        return !isCompared() || row.isMetBy(ratio().median());
    }
}
