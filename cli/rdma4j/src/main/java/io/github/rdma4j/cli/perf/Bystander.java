// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Optional;

/**
 * The server of a program whose client does everything.
 *
 * @param bed whose memory the client reaches
 */
record Bystander(TestBed bed) implements Measurement {
    private static final long NOTHING_MEASURED = -1;

    @Override
    public void run() {
        // The client reads or writes the memory, and meets this side when it has ended.
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        PerfOptions options = bed.options();
        return new PerfResult(
                options.program(),
                options.size(),
                options.iterations(),
                Optional.empty(),
                Optional.empty(),
                NOTHING_MEASURED);
    }
}
