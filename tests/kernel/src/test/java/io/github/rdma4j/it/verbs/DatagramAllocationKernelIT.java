// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams to a shared receive queue cost no memory. */
@RequiresKernel
class DatagramAllocationKernelIT {
    private static final int ROUNDS = 2000;
    private static final int BYTES = 64;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocatesNothingToSendAndToReceive(boolean inlined) throws Exception {
        try (Datagrams datagrams = Datagrams.open()) {
            Rounds rounds = new Rounds(datagrams, inlined);
            rounds.run();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            rounds.run();
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated / ROUNDS).as("bytes a datagram").isZero();
        }
    }

    /** Sender and receiver in one thread. */
    private static final class Rounds {
        private final SharedReceiveQueue srq;
        private final Datagrams.Node sender;
        private final Datagrams.Node receiver;
        private final SendWorkRequest send;
        private final ReceiveWorkRequest receive;
        private final WorkCompletion[] into = WorkCompletion.array(4);

        Rounds(Datagrams datagrams, boolean inlined) throws RdmaException {
            srq = datagrams.pd().createSrq(SharedReceiveQueueOptions.DEFAULT);
            sender = datagrams.node(options -> options.maxInline(BYTES));
            receiver = datagrams.node(options -> options.srq(srq));
            send = sender.message(BYTES)
                    .send()
                    .to(datagrams.way(Rxe.IPV4), receiver.qp().qpn(), Datagrams.QKEY);
            if (inlined) {
                send.inlined();
            }
            receive = new ReceiveWorkRequest(1).add(receiver.region(), 0, Grh.BYTES + BYTES);
        }

        void run() throws RdmaException {
            for (int i = 0; i < ROUNDS; i++) {
                srq.postReceive(receive);
                sender.qp().postSend(send);
                take(sender.cq());
                take(receiver.cq());
            }
        }

        private void take(CompletionQueue cq) {
            int polled = 0;
            while (polled == 0) {
                polled = cq.poll(into);
            }
            if (polled != 1 || !into[0].isSuccess()) {
                throw new AssertionError(polled + " completions, " + into[0]);
            }
        }
    }
}
