// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.ClosedHandle;
import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Address handles and shared receive queues that were closed. */
@RequiresKernel
class DatagramUseAfterCloseKernelIT {
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
        return ClosedHandle.refuses(AddressHandle.class, way, Map.of());
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
                        "holds", () -> srq.holds(1),
                        "modifyLimit", () -> srq.modifyLimit(1),
                        "query", srq::query),
                Map.of("isLimitReached", () -> srq.isLimitReached(new AsyncEvent(0, 0))));
    }
}
