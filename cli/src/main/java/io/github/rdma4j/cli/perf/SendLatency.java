// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;

/** Messages in turns. As perftest does, each side waits until its message was acknowledged before it waits for the next one. */
final class SendLatency implements Measurement {
    private final TestLink link;
    private final boolean first;
    private final LatencyTimes times;
    private final SendWorkRequest message;

    SendLatency(TestLink link, PeerEntry peer, boolean first) {
        this.link = link;
        this.first = first;
        times = new LatencyTimes(link.options());
        message = link.fill(new SendWorkRequest(1), peer, 0).signaled();
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        for (int i = 0; i < link.options().iterations(); i++) {
            if (first) {
                send(i);
                receive();
            } else {
                receive();
                send(i);
            }
        }
    }

    private void send(int iteration) throws RdmaException, InterruptedException {
        times.post(iteration);
        link.qp().postSend(message);
        link.sends().awaitOne();
    }

    private void receive() throws RdmaException, InterruptedException {
        link.receives().awaitOne();
        link.postReceive();
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        return times.result(allocatedBytes);
    }
}
