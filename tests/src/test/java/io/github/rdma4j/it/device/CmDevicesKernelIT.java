// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmDevices;
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

/** {@code rdma_get_devices(3)}. */
@RequiresKernel
class CmDevicesKernelIT {
    @Test
    void givesTheContextThatIdsShare() throws Exception {
        try (CmDevices devices = CmDevices.open();
                EventChannel channel = EventChannel.open();
                CmId id = Loopback.routed(channel, Rxe.newAddress())) {
            assertThat(devices.failures()).isEmpty();
            assertThat(devices.contexts())
                    .filteredOn(context -> context.device().name().equals(Rxe.DEVICE))
                    .containsExactly(id.context());
            assertThat(devices.pd(id.context())).containsSame(id.pd());
        }
    }

    @Test
    void aQueueMadeBeforeTheIdServesIt() throws Exception {
        try (CmDevices devices = CmDevices.open()) {
            DeviceContext context = devices.contexts().get(0);
            try (CompletionQueue cq = context.createCq(8);
                    EventChannel channel = EventChannel.open();
                    CmId id = Loopback.routed(channel, Rxe.newAddress())) {
                assertThat(id.createQp(QueuePairOptions.builder().cq(cq).build())
                                .qpn())
                        .isPositive();
            }
        }
    }

    @Test
    void closesTheContextWithItsLastUser() throws Exception {
        CmDevices devices = CmDevices.open();
        DeviceContext context = devices.contexts().get(0);
        try (EventChannel channel = EventChannel.open();
                CmId id = Loopback.routed(channel, Rxe.newAddress())) {
            devices.close();
            devices.close();
            assertThat(id.context().isClosed()).isFalse();
        }
        assertThat(context.isClosed()).isTrue();
    }

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
