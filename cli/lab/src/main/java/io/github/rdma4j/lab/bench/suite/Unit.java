// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

/** What the figures of a row are, and which of two figures is better. */
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
