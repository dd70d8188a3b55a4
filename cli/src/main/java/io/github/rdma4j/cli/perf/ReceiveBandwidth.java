// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;

/** The server of {@code send_bw}: it counts from the first message that it has received, and looks for no peak. */
final class ReceiveBandwidth implements Measurement {
    private final TestLink link;
    private long first;
    private long last;

    ReceiveBandwidth(TestLink link) {
        this.link = link;
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        int iterations = link.options().iterations();
        int received = take();
        first = System.nanoTime();
        while (received < iterations) {
            received += take();
        }
        last = System.nanoTime();
    }

    private int take() throws RdmaException, InterruptedException {
        int taken = link.receives().await();
        for (int i = 0; i < taken; i++) {
            link.postReceive();
        }
        return taken;
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        return Bandwidth.result(link.options(), Math.max(1, last - first), 0, allocatedBytes);
    }
}
