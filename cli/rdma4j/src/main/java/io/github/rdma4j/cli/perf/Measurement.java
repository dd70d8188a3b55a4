// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import java.util.Optional;

/** One side's part in the measured messages. For one thread, which allocates nothing in {@link #run()}. */
interface Measurement {
    void run() throws RdmaException, InterruptedException;

    /** The result, after {@link #run()}. */
    PerfResult result(long allocatedBytes);

    /** The part of one side of a program. */
    static Measurement of(TestBed bed) {
        PerfOptions options = bed.options;
        boolean client = options.isClient();
        if (options.bidirectional) {
            return new Bandwidth(bed);
        }
        return switch (options.program()) {
            case SEND_LAT -> new Latency.SendLatency(bed, client);
            case WRITE_LAT -> new Latency.WriteLatency(bed, !client);
            case READ_LAT, ATOMIC_LAT -> client ? new Latency.Requests(bed) : new PassiveServer(bed);
            case SEND_BW -> client ? new Bandwidth(bed) : new Bandwidth.ReceiveBandwidth(bed);
            case WRITE_BW, READ_BW, ATOMIC_BW -> client ? new Bandwidth(bed) : new PassiveServer(bed);
        };
    }

    /**
     * The server of a program whose client does all the work.
     *
     * @param bed the test bed, whose memory the client reads or writes
     */
    record PassiveServer(TestBed bed) implements Measurement {
        private static final long NOTHING_MEASURED = -1;

        @Override
        public void run() {
            // the client reads or writes the memory, and synchronizes with this side at the end
        }

        @Override
        public PerfResult result(long allocatedBytes) {
            PerfOptions options = bed.options;
            return new PerfResult(
                    options.program(),
                    options.size(),
                    options.iterations(),
                    Optional.empty(),
                    Optional.empty(),
                    NOTHING_MEASURED);
        }
    }
}
