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
    static Measurement of(TestLink link, PeerEntry peer) {
        boolean client = link.options().isClient();
        PerfProgram program = link.options().program();
        return switch (program) {
            case SEND_LAT -> new SendLatency(link, peer, client);
            case WRITE_LAT -> new WriteLatency(link, peer, !client);
            case READ_LAT, ATOMIC_LAT -> client ? new RequestLatency(link, peer) : new Bystander(link);
            case SEND_BW -> client ? new Bandwidth(link, peer) : new ReceiveBandwidth(link);
            case WRITE_BW, READ_BW, ATOMIC_BW -> client ? new Bandwidth(link, peer) : new Bystander(link);
        };
    }
}
