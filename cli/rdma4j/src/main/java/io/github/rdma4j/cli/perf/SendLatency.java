// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;

/**
 * Alternating messages. As in perftest, each side waits for the acknowledgement of its message before it waits for the
 * next message.
 */
final class SendLatency extends Latency {
    private final boolean first;

    SendLatency(TestBed bed, boolean first) {
        super(bed);
        this.first = first;
    }

    @Override
    void run(int iterations) throws RdmaException, InterruptedException {
        for (int i = 0; i < iterations; i++) {
            if (!first) {
                receive();
            }
            post(i);
            bed.sends.awaitOne();
            if (first) {
                receive();
            }
        }
    }

    /** Ends when this side's time is over, which leaves a message of either side unanswered. */
    @Override
    void runByTime() throws RdmaException, InterruptedException {
        if (first) {
            send();
        }
        while (bed.receives.awaitOne(period)) {
            period.start();
            link.postReceive();
            count();
            if (!period.look()) {
                return;
            }
            send();
        }
    }

    private void send() throws RdmaException, InterruptedException {
        link.qp.postSend(message);
        bed.sends.awaitOne();
    }

    private void receive() throws RdmaException, InterruptedException {
        bed.receives.awaitOne();
        link.postReceive();
    }
}
