// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import java.util.List;

/**
 * A row with what was measured for it.
 *
 * @param name the row's name, with the guest's suffix
 * @param row the row
 * @param guest where it was measured
 * @param c the figure of each turn
 * @param java the figure of each turn
 */
record Result(String name, Row row, Guest guest, List<Double> c, List<Double> java) {
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

    boolean meetsAim() {
        return row.isMetBy(ratio().median());
    }
}
