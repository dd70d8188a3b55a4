// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import org.junit.jupiter.api.Test;

/** The context of a device, which ids share. */
@RequiresKernel
class SharedContextKernelIT {
    @Test
    void theNextIdGetsTheContextWhileSomethingOnItIsOpen() throws Exception {
        try (EventChannel channel = EventChannel.open()) {
            CmId first = Loopback.routed(channel, Rxe.newAddress());
            DeviceContext context = first.context();
            try (ProtectionDomain pd = context.allocatePd();
                    CompletionQueue cq = context.createCq(8)) {
                first.close();
                try (CmId second = Loopback.routed(channel, Rxe.newAddress())) {
                    assertThat(second.context()).isSameAs(context);
                    QueuePairOptions options = QueuePairOptions.builder().cq(cq).build();
                    assertThat(second.createQp(pd, options).qpn()).isPositive();
                }
                assertThat(context.isClosed()).isFalse();
            }
            assertThat(context.isClosed()).isTrue();
        }
    }

    @Test
    void aContextThatWasClosedUnderItsIdsIsNotGivenToTheNext() throws Exception {
        try (EventChannel channel = EventChannel.open()) {
            CmId stranded = Loopback.routed(channel, Rxe.newAddress());
            stranded.context().close();
            try (CmId next = Loopback.routed(channel, Rxe.newAddress());
                    CmId another = Loopback.routed(channel, Rxe.newAddress())) {
                assertThat(next.context().isClosed()).isFalse();
                assertThat(another.context()).isSameAs(next.context());
                assertThat(next.createQp(QueuePairOptions.DEFAULT).qpn()).isPositive();
                stranded.close();
                assertThat(next.context().isClosed()).isFalse();
                assertThat(another.createQp(QueuePairOptions.DEFAULT).qpn()).isPositive();
            }
        }
    }
}
