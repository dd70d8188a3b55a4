// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;

/**
 * Messages in turns. As in perftest, each side waits until its message is acknowledged before it waits for the next
 * one.
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

    /**
     * Ends when the time is over on this side, which leaves a message of the peer without an answer, or one of this
     * side.
     */
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
