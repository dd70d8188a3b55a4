// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

/**
 * Where the messages of a test lie in memory. As in perftest, a bandwidth program spreads small messages over a page, so that
 * two in a row do not share a cache line; other messages all have the same place.
 *
 * @param half bytes of the part of a queue pair in one half of the memory
 * @param places number of places
 * @param step bytes from one place to the next
 */
record Spread(int half, int places, int step) {
    static Spread of(PerfOptions options, int page, int cacheLine) {
        int size = options.size();
        int half = roundUp(Math.max(options.largestSize(), page), cacheLine);
        if (options.program().isLatency() || size > page / 2) {
            return new Spread(half, 1, 0);
        }
        int step = roundUp(size, cacheLine);
        return new Spread(half, Math.max(1, page / step), step);
    }

    private static int roundUp(int value, int unit) {
        return (value + unit - 1) / unit * unit;
    }

    /** Where message {@code number} lies. */
    int offset(int number) {
        return number % places * step;
    }
}
