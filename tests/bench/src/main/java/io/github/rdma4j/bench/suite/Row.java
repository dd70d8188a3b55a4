// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

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

    /** The unit of the figures of a row, and which of two figures is better. */
    enum Unit {
        MICROSECONDS("us", false),
        MILLISECONDS("ms", false),
        NANOSECONDS("ns", false),
        KIBIBYTES("KiB", false),
        MEGABYTES_PER_SECOND("MB/s", true),
        PER_SECOND("1/s", true);

        private final String symbol;
        private final boolean higherIsBetter;

        Unit(String symbol, boolean higherIsBetter) {
            this.symbol = symbol;
            this.higherIsBetter = higherIsBetter;
        }

        String symbol() {
            return symbol;
        }

        boolean higherIsBetter() {
            return higherIsBetter;
        }
    }
}
