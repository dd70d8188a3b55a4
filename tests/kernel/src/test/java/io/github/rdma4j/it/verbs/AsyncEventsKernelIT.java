// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.RunningKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Asynchronous events that soft-RoCE raises, beside those of completion queues, limits and GIDs that other tests await. */
@RequiresKernel
class AsyncEventsKernelIT {
    /** The next event of {@code type}: others are of no interest. */
    static AsyncEvent await(DeviceContext context, AsyncEventType type) throws Exception {
        AsyncEvent event = context.awaitAsyncEvent(Await.LIMIT).orElseThrow();
        while (event.type() != type) {
            event = context.awaitAsyncEvent(Await.LIMIT).orElseThrow();
        }
        return event;
    }

    @Test
    void tellThatAPortGoesDownAndComesBack() throws Exception {
        try (RemovableLink link = RemovableLink.make();
                DeviceContext context = DeviceContext.open(RemovableLink.DEVICE)) {
            assertThat(link.isThere()).isTrue();
            Program.run("ip", "link", "set", RemovableLink.NETDEV, "down");
            assertThat(await(context, AsyncEventType.PORT_ERR).port()).hasValue(1);
            Program.run("ip", "link", "set", RemovableLink.NETDEV, "up");
            assertThat(await(context, AsyncEventType.PORT_ACTIVE).port()).hasValue(1);
        }
    }

    /** Linux 6.1 raises no such event, and 7.2 does. */
    @Test
    void tellThatAQueuePairTakesNoMoreOfItsSharedQueue() throws Exception {
        try (DeviceContext context = DeviceContext.open(Rxe.DEVICE)) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCq(8);
            QueuePair qp = pd.createQp(QueuePairOptions.builder()
                    .cq(cq)
                    .srq(pd.createSrq(SharedReceiveQueueOptions.DEFAULT))
                    .build());
            qp.modify(QpAttr.builder()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNum(1)
                    .access(Set.of())
                    .build());
            qp.moveToError();
            assertThat(qp.query().state()).isEqualTo(QpState.ERR);
            if (RunningKernel.isAtLeast(7, 2)) {
                assertThat(await(context, AsyncEventType.QP_LAST_WQE_REACHED).queuePair())
                        .containsSame(qp);
            }
        }
    }
}
