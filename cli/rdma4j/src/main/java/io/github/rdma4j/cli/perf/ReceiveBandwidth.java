// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;

/** The server of {@code send_bw}: measures from the first received message, and does not search for a peak. */
final class ReceiveBandwidth implements Measurement {
    private final TestBed bed;
    private final Period period;
    private long counted;
    private long first;
    private long last;

    ReceiveBandwidth(TestBed bed) {
        this.bed = bed;
        period = new Period(bed.options().seconds());
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        if (bed.options().isTimed()) {
            runByTime();
            return;
        }
        long all = bed.options().messages();
        counted = take(bed.receives.await());
        first = System.nanoTime();
        while (counted < all) {
            counted += take(bed.receives.await());
        }
        last = System.nanoTime();
    }

    private void runByTime() throws RdmaException, InterruptedException {
        while (period.look()) {
            int taken = take(bed.receives.poll());
            if (taken > 0) {
                period.start();
                counted += period.counts() ? taken : 0;
            }
        }
        last = period.nanos();
    }

    private int take(int taken) throws RdmaException {
        for (int i = 0; i < taken; i++) {
            bed.links.get((int) bed.receives.taken(i).wrId()).postReceive();
        }
        return taken;
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        return Bandwidth.result(bed.options(), counted, Math.max(1, last - first), 0, allocatedBytes);
    }
}
