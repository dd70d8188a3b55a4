// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;

/** Messages in turns. As perftest does, each side waits until its message was acknowledged before it waits for the next one. */
final class SendLatency implements Measurement {
    private final TestBed bed;
    private final boolean first;
    private final LatencyTimes times;
    private final SendWorkRequest message;

    SendLatency(TestBed bed, boolean first) {
        this.bed = bed;
        this.first = first;
        times = new LatencyTimes(bed.options());
        message = bed.link().fill(new SendWorkRequest(1), 0).signaled();
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        if (bed.options().isTimed()) {
            runByTime();
            return;
        }
        for (int i = 0; i < bed.options().iterations(); i++) {
            if (!first) {
                receive();
            }
            times.post(i);
            send();
            if (first) {
                receive();
            }
        }
    }

    /** Until the time is over on this side, which leaves a message of the peer without an answer, or one of this side. */
    private void runByTime() throws RdmaException, InterruptedException {
        if (first) {
            send();
        }
        Period period = times.period();
        while (bed.receives().awaitOne(period)) {
            period.start();
            bed.link().postReceive();
            times.count();
            if (!period.look()) {
                return;
            }
            send();
        }
    }

    private void send() throws RdmaException, InterruptedException {
        bed.link().qp().postSend(message);
        bed.sends().awaitOne();
    }

    private void receive() throws RdmaException, InterruptedException {
        bed.receives().awaitOne();
        bed.link().postReceive();
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        return times.result(allocatedBytes);
    }
}
