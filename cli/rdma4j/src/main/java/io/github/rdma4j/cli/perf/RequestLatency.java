// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;

/** Reads or atomic operations, one after the other. */
final class RequestLatency implements Measurement {
    private final TestBed bed;
    private final LatencyTimes times;
    private final SendWorkRequest request;

    RequestLatency(TestBed bed) {
        this.bed = bed;
        times = new LatencyTimes(bed.options());
        request = bed.link().fill(new SendWorkRequest(1), 0).signaled();
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        if (bed.options().isTimed()) {
            runByTime();
            return;
        }
        for (int i = 0; i < bed.options().iterations(); i++) {
            times.post(i);
            ask();
        }
    }

    private void runByTime() throws RdmaException, InterruptedException {
        times.period().start();
        while (times.period().look()) {
            ask();
            times.count();
        }
    }

    private void ask() throws RdmaException, InterruptedException {
        bed.link().qp().postSend(request);
        bed.sends().awaitOne();
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        return times.result(allocatedBytes);
    }
}
