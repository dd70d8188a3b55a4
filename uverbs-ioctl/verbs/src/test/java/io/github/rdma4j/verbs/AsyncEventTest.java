// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AsyncEventTest {
    private static AsyncEvent event(AsyncEventType type, long element, Map<Cookie, VerbsObject> queues) {
        return AsyncEvent.of(type.code(), element, queues);
    }

    @Test
    void findsTheQueueByItsNumber() throws RdmaException {
        ModelKernel kernel = new ModelKernel();
        try (DeviceContext context = kernel.open()) {
            CompletionQueue cq = context.createCq(2);
            QueuePair qp = context.allocatePd()
                    .createQp(QueuePairOptions.builder().cq(cq).build());
            Map<Cookie, VerbsObject> queues = Map.of(new Cookie(1), cq, new Cookie(2), qp);
            assertThat(event(AsyncEventType.CQ_ERR, 1, queues).completionQueue())
                    .containsSame(cq);
            assertThat(event(AsyncEventType.QP_FATAL, 2, queues).queuePair()).containsSame(qp);
            assertThat(event(AsyncEventType.QP_FATAL, 2, queues).completionQueue())
                    .isEmpty();
            assertThat(event(AsyncEventType.QP_FATAL, 3, queues).queuePair()).isEmpty();
        }
    }

    @Test
    void takesAPortForAPort() throws RdmaException {
        ModelKernel kernel = new ModelKernel();
        try (DeviceContext context = kernel.open()) {
            Map<Cookie, VerbsObject> queues = Map.of(new Cookie(1), context.createCq(2));
            AsyncEvent port = event(AsyncEventType.PORT_ERR, 1, queues);
            assertThat(port.port()).hasValue(1);
            assertThat(port.queue()).isEmpty();
            assertThat(event(AsyncEventType.DEVICE_FATAL, 0, queues).port()).isEmpty();
        }
    }

    @Test
    void knowsOfWhatEachTypeIs() {
        for (AsyncEventType type : AsyncEventType.values()) {
            boolean known = type != AsyncEventType.UNKNOWN && type != AsyncEventType.WQ_FATAL;
            assertThat(type.source() != AsyncEventType.Source.OTHER)
                    .as("%s", type)
                    .isEqualTo(known);
        }
    }
}
