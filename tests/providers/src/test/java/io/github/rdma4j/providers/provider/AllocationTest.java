// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Posting and polling cost no memory. The device runs in a thread of its own, whose memory does not count. */
@Timeout(60)
@Tag("slow")
class AllocationTest {
    private static final int ROUNDS = 300;
    private static final int SERIES = 3;
    private static final int QKEY = 0x1ee7;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final WorkCompletion[] into = WorkCompletion.array(1);

    @FunctionalInterface
    private interface Round {
        void run() throws RdmaException;
    }

    /** What a round allocates in the cheapest of some series: what the JVM links late, it allocates once. */
    private long bytesARound(CardPair pair, Round round) throws RdmaException {
        CardThread device = CardThread.start(pair.kernel().card());
        try {
            run(round);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < SERIES && least > 0; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                run(round);
                least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS);
            }
            return least;
        } finally {
            device.close();
        }
    }

    private static void run(Round round) throws RdmaException {
        for (int i = 0; i < ROUNDS; i++) {
            round.run();
        }
    }

    private void take(CompletionQueue cq) {
        int polled = 0;
        while (polled == 0) {
            polled = cq.poll(into);
        }
        if (!into[0].isSuccess()) {
            throw new AssertionError(into[0]);
        }
    }

    /** What irdma runs over iWARP, it runs over RoCE too. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"IRDMA_E810_IWARP", "IRDMA_X722"})
    void connectedMessagesCostNoMemory(CardKind kind) throws Exception {
        try (CardPair pair = kind.pair()) {
            ReceiveWorkRequest receive = pair.receive(1);
            List<SendWorkRequest> received = List.of(
                    pair.send(1),
                    pair.send(2).sendWithImmediate(7),
                    pair.send(3).inline(ByteBuffer.allocate(64)),
                    pair.write(4)
                            .rdmaWriteWithImmediate(
                                    pair.region().iova(), pair.region().rkey(), 7));
            SendWorkRequest[] chain = others(kind, pair).toArray(SendWorkRequest[]::new);
            assertThat(bytesARound(pair, () -> {
                        for (int i = 0; i < received.size(); i++) {
                            pair.server().postReceive(receive);
                            pair.client().postSend(received.get(i));
                            take(pair.cq());
                            take(pair.cq());
                        }
                        pair.client().postSend(chain, chain.length);
                        for (int i = 0; i < chain.length; i++) {
                            take(pair.cq());
                        }
                    }))
                    .as("bytes a round")
                    .isZero();
        }
    }

    private static List<SendWorkRequest> others(CardKind kind, CardPair pair) {
        List<SendWorkRequest> requests = new ArrayList<>(List.of(pair.write(5), pair.read(6, 64)));
        if (kind.hasAtomics()) {
            long address = pair.region().iova();
            int key = pair.region().rkey();
            requests.add(pair.read(7, 64).fetchAndAdd(address, key, 1));
            requests.add(pair.read(8, 64).compareAndSwap(address, key, 1, 2));
        }
        return requests;
    }

    @ParameterizedTest
    @CardKind.WithSharedReceives
    void datagramsToASharedReceiveQueueCostNoMemory(CardKind kind) throws Exception {
        try (CardPair pair = kind.pair()) {
            SharedReceiveQueue srq = pair.pd().createSrq(SharedReceiveQueueOptions.DEFAULT);
            QueuePairOptions.Builder options =
                    QueuePairOptions.builder().type(QueuePairType.UD).cq(pair.cq());
            QueuePair sender = ready(pair.pd().createQp(options.build()));
            QueuePair receiver = ready(pair.pd().createQp(options.srq(srq).build()));
            SendWorkRequest send = pair.send(1).to(pair.pd().createAh(CardKernel.WAY), receiver.qpn(), QKEY);
            ReceiveWorkRequest receive = new ReceiveWorkRequest(1).add(pair.region(), 128, Grh.BYTES + 8);
            assertThat(bytesARound(pair, () -> {
                        srq.postReceive(receive);
                        sender.postSend(send);
                        take(pair.cq());
                        take(pair.cq());
                    }))
                    .as("bytes a datagram")
                    .isZero();
        }
    }

    private static QueuePair ready(QueuePair qp) throws RdmaException {
        RawConnection.start(qp, QKEY);
        return qp;
    }

    /** A poll that cannot have memory would lose completions. The work of others, such as posting, does not count here. */
    @ParameterizedTest
    @EnumSource
    void pollsOfAQueuePairThatFailsCostNoMemory(CardKind kind) throws Exception {
        try (CardPair pair = kind.pair()) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < ROUNDS / 10 && least > 0; i++) {
                QueuePair left = pair.pd().createQp(pair.options());
                QueuePair right = pair.pd().createQp(pair.options());
                RawConnection.connect(left, right, CardKernel.WAY);
                left.postReceive(pair.receive(1));
                left.postSend(pair.write(2)
                        .rdmaWrite(pair.region().iova(), pair.region().rkey() + 77));
                left.postSend(pair.write(3));
                pair.settle();
                left.moveToError();
                pair.settle();
                least = Math.min(least, bytesOfPolls(pair.cq(), 3));
                left.close();
                right.close();
            }
            assertThat(least).as("bytes of the polls").isZero();
        }
    }

    /** The rings from before are given up by polls. */
    @ParameterizedTest
    @CardKind.WithResizing
    void pollsAfterAResizeCostNoMemory(CardKind kind) throws Exception {
        try (CardPair pair = kind.pair()) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < ROUNDS / 10 && least > 0; i++) {
                pair.client().postSend(pair.write(1));
                pair.settle();
                pair.cq().resize(i % 2 == 0 ? 300 : 100);
                pair.client().postSend(pair.write(2));
                pair.settle();
                least = Math.min(least, bytesOfPolls(pair.cq(), 2));
            }
            assertThat(least).as("bytes of the polls").isZero();
        }
    }

    /** What it allocates to poll {@code completions} one by one, and then none. */
    private long bytesOfPolls(CompletionQueue cq, int completions) {
        long before = threads.getCurrentThreadAllocatedBytes();
        int polled = 0;
        for (int i = 0; i <= completions; i++) {
            polled += cq.poll(into);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(polled).isEqualTo(completions);
        return bytes;
    }

    @Test
    void emptyPollsCostNoMemory() throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            assertThat(bytesARound(pair, () -> pair.cq().poll(into)))
                    .as("bytes a poll")
                    .isZero();
        }
    }
}
