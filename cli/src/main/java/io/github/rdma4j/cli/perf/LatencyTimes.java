// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Arrays;
import java.util.Optional;

/** When each message of a latency program was posted. A message that waits for an answer of its own kind took half the time. */
final class LatencyTimes {
    private final PerfOptions options;
    private final long[] posted;

    LatencyTimes(PerfOptions options) {
        this.options = options;
        posted = new long[options.iterations()];
    }

    void post(int iteration) {
        posted[iteration] = System.nanoTime();
    }

    PerfResult result(long allocatedBytes) {
        double ways = options.program().verb().isRequest() ? 1 : 2;
        double[] times = new double[posted.length - 1];
        Arrays.setAll(times, i -> (posted[i + 1] - posted[i]) / ways);
        Arrays.sort(times);
        return new PerfResult(
                options.program(),
                options.size(),
                posted.length,
                Optional.of(LatencyFigures.of(times)),
                Optional.empty(),
                allocatedBytes);
    }
}
