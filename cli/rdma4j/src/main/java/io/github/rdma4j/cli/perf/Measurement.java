// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;

/** One side's part in the messages that count. For one thread, which allocates nothing in {@link #run()}. */
interface Measurement {
    /** Does all iterations. */
    void run() throws RdmaException, InterruptedException;

    /** What it has found, after {@link #run()}. */
    PerfResult result(long allocatedBytes);

    /** The part of one side in a program. */
    static Measurement of(TestBed bed) {
        PerfOptions options = bed.options();
        boolean client = options.isClient();
        if (options.isBidirectional()) {
            return new Bandwidth(bed);
        }
        return switch (options.program()) {
            case SEND_LAT -> new SendLatency(bed, client);
            case WRITE_LAT -> new WriteLatency(bed, !client);
            case READ_LAT, ATOMIC_LAT -> client ? new RequestLatency(bed) : new Bystander(bed);
            case SEND_BW -> client ? new Bandwidth(bed) : new ReceiveBandwidth(bed);
            case WRITE_BW, READ_BW, ATOMIC_BW -> client ? new Bandwidth(bed) : new Bystander(bed);
        };
    }
}
