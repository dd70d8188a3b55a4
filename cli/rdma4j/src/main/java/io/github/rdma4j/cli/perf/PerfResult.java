// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Optional;

/**
 * What one side has measured. The server of a program that reads, adds or writes in bulk measures nothing; what its client
 * tells is its result.
 *
 * @param program the program
 * @param size bytes of a message
 * @param iterations number of messages
 * @param latency the figures of a latency program
 * @param bandwidth the figures of a bandwidth program
 * @param allocatedBytes bytes that the measuring thread has allocated meanwhile; -1 where it measured nothing
 */
public record PerfResult(
        PerfProgram program,
        int size,
        long iterations,
        Optional<LatencyFigures> latency,
        Optional<BandwidthFigures> bandwidth,
        long allocatedBytes) {
    /** The same with other figures of bandwidth. */
    PerfResult with(BandwidthFigures figures) {
        return new PerfResult(program, size, iterations, latency, Optional.of(figures), allocatedBytes);
    }
}
