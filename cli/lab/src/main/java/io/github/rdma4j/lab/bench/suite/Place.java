// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import io.github.rdma4j.cli.run.RdmaAddress;
import java.nio.file.Path;

/**
 * What a bench finds where it runs.
 *
 * @param guest the kind of the guest
 * @param rdma the device and its address
 * @param programs the directory of the suite's own programs in C
 * @param iterations how often an operation of the data path is done in a turn, in percent of the usual number
 */
record Place(Guest guest, RdmaAddress rdma, Path programs, int iterations) {
    private static final int PERCENT = 100;

    /** So many of {@code usual} iterations as this run does. */
    int scaled(int usual) {
        return Math.max(PERCENT, usual / PERCENT * iterations);
    }
}
