// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.ClosedHandle;
import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Address handles and shared receive queues that were closed, or are being closed by another thread. */
@RequiresKernel
class DatagramUseAfterCloseKernelIT {
    private static final int CLOSES = 1000;

    private Datagrams datagrams;

    @BeforeEach
    void open() throws Exception {
        datagrams = Datagrams.open();
    }

    @AfterEach
    void close() throws Exception {
        datagrams.close();
    }

    @TestFactory
    Stream<DynamicTest> answersForAClosedAddressHandle() throws Exception {
        AddressHandle way = datagrams.way(Rxe.IPV4);
        way.close();
        return ClosedHandle.refuses(
                AddressHandle.class,
                way,
                Map.of(),
                Map.of(
                        "attributes", way::attributes,
                        "isClosed", () -> assertThat(way.isClosed()).isTrue(),
                        "close", way::close,
                        "closeWhenUnused", way::closeWhenUnused,
                        "keepOpen", way::keepOpen,
                        "toString", way::toString));
    }

    @TestFactory
    Stream<DynamicTest> refusesCommandsOfAClosedSharedReceiveQueue() throws Exception {
        SharedReceiveQueue srq = datagrams.pd().createSrq(SharedReceiveQueueOptions.DEFAULT);
        srq.close();
        ReceiveWorkRequest receive = new ReceiveWorkRequest(0);
        return ClosedHandle.refuses(
                SharedReceiveQueue.class,
                srq,
                Map.of(
                        "postReceive", () -> srq.postReceive(receive),
                        "tryPostReceive", () -> srq.tryPostReceive(receive),
                        "modifyLimit", () -> srq.modifyLimit(1),
                        "query", srq::query),
                Map.of(
                        "capacity", srq::capacity,
                        "maxSge", srq::maxSge,
                        "number", srq::number,
                        "isLimitReached", () -> srq.isLimitReached(new AsyncEvent(0, 0)),
                        "isClosed", () -> assertThat(srq.isClosed()).isTrue(),
                        "close", srq::close,
                        "closeWhenUnused", srq::closeWhenUnused,
                        "keepOpen", srq::keepOpen,
                        "toString", srq::toString));
    }

    /** What the poster uses at the moment. */
    private static final class Current {
        private volatile SharedReceiveQueue queue;

        Current(SharedReceiveQueue queue) {
            this.queue = queue;
        }
    }

    @Test
    void survivesPostersOfSharedReceiveQueuesThatAreClosed() throws Exception {
        Current current = new Current(newQueue());
        AtomicBoolean stop = new AtomicBoolean();
        Await.Running<Boolean> poster = Await.inThread(() -> post(current, stop));
        for (int i = 0; i < CLOSES; i++) {
            SharedReceiveQueue last = current.queue;
            current.queue = newQueue();
            last.close();
        }
        current.queue.close();
        stop.set(true);
        assertThat(poster.result()).isTrue();
    }

    private SharedReceiveQueue newQueue() throws RdmaException {
        return datagrams.pd().createSrq(SharedReceiveQueueOptions.DEFAULT);
    }

    private static boolean post(Current current, AtomicBoolean stop) {
        ReceiveWorkRequest request = new ReceiveWorkRequest(0);
        while (!stop.get()) {
            try {
                current.queue.tryPostReceive(request);
            } catch (IllegalStateException closed) {
                Thread.onSpinWait();
            }
        }
        return true;
    }
}
