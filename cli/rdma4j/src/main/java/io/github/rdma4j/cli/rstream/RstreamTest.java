// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rstream;

import java.util.List;

/**
 * One test of rstream: in each iteration, the client sends a number of transfers, then the server.
 *
 * @param name the name in the table
 * @param bytes the size of a transfer
 * @param transfers the transfers in one direction
 * @param iterations the number of iterations
 */
record RstreamTest(String name, int bytes, int transfers, int iterations) {
    private static final List<RstreamTest> LATENCY = List.of(
            new RstreamTest("64_lat", 64, 1, 100_000),
            new RstreamTest("4k_lat", 4096, 1, 10_000),
            new RstreamTest("64k_lat", 1 << 16, 1, 1_000),
            new RstreamTest("1m_lat", 1 << 20, 1, 100));

    /** The first connection of a run without options: one transfer at a time. */
    static List<RstreamTest> latency() {
        return LATENCY;
    }

    /** The second connection: the same number of transfers, back to back. */
    static List<RstreamTest> bandwidth() {
        return LATENCY.stream()
                .map(test -> new RstreamTest(test.name().replace("lat", "bw"), test.bytes(), test.iterations(), 1))
                .toList();
    }

    /** The number of transfers in both directions. */
    long total() {
        return 2L * transfers * iterations;
    }
}
