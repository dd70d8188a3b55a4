// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import java.util.Locale;

/**
 * A figure that C and Java both have.
 *
 * @param name as in {@code RATIO name value}
 * @param title for people
 * @param beside the program in C
 * @param unit of the figures
 * @param aim what the ratio should be at most, or at least if higher is better; NaN if the ratio is only shown
 */
record Row(String name, String title, String beside, Unit unit, double aim) {
    /** A row whose ratio is only shown. */
    static Row shown(String name, String title, String beside, Unit unit) {
        return new Row(name, title, beside, unit, Double.NaN);
    }

    boolean hasAim() {
        return !Double.isNaN(aim);
    }

    /** True if {@code ratio}, Java to C, is as it should be. A row without aim is met by every ratio. */
    boolean isMetBy(double ratio) {
        if (!hasAim()) {
            return true;
        }
        return unit.higherIsBetter() ? ratio >= aim : ratio <= aim;
    }

    /** Such as {@code <= 1.05}; empty without an aim. */
    String aimText() {
        return hasAim() ? String.format(Locale.ROOT, "%s %.2f", unit.higherIsBetter() ? ">=" : "<=", aim) : "";
    }
}
