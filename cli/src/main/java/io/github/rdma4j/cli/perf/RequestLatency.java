// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;

/** Reads or atomic operations, one after the other. */
final class RequestLatency implements Measurement {
    private final TestLink link;
    private final LatencyTimes times;
    private final SendWorkRequest request;

    RequestLatency(TestLink link, PeerEntry peer) {
        this.link = link;
        times = new LatencyTimes(link.options());
        request = link.fill(new SendWorkRequest(1), peer, 0).signaled();
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        for (int i = 0; i < link.options().iterations(); i++) {
            ask(i);
        }
    }

    private void ask(int iteration) throws RdmaException, InterruptedException {
        times.post(iteration);
        link.qp().postSend(request);
        link.sends().awaitOne();
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        return times.result(allocatedBytes);
    }
}
