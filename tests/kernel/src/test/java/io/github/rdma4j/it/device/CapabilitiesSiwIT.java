// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.it.support.Siw;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.XrcDomain;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What soft-iWARP says that it is, and what it refuses. */
@RequiresSiw
class CapabilitiesSiwIT {
    private DeviceContext context;
    private ProtectionDomain pd;
    private CompletionQueue cq;

    @BeforeEach
    void open() throws Exception {
        context = DeviceContext.open(Siw.DEVICE);
        pd = context.allocatePd();
        cq = context.createCq(8);
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    @Test
    void isAnRnicWithoutAtomicOperations() throws Exception {
        assertThat(context.device().nodeType()).isEqualTo(RdmaDevice.NodeType.RNIC);
        assertThat(context.queryDevice().atomicCap()).isZero();
        assertThat(context.queryDevice().maxSgeRd()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"RC", "XRC_INI", "XRC_TGT"})
    void hasReliableConnectedQueuePairsOnly(QueuePairType type) {
        assertThatThrownBy(() ->
                        pd.createQp(QueuePairOptions.builder().type(type).cq(cq).build()))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("siw")
                .hasMessageContaining(type.toString());
    }

    @Test
    void hasNoXrc() {
        assertThatThrownBy(() -> XrcDomain.open(context))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("EOPNOTSUPP")
                .hasMessageContaining("does not support XRC");
        assertThatThrownBy(() -> pd.createQp(QueuePairOptions.builder()
                        .type(QueuePairType.XRC_INI)
                        .cq(cq)
                        .build()))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("does not support XRC");
    }

    @Test
    void hasNoAddressHandles() {
        assertThatThrownBy(() -> pd.createAh(AhAttr.to(Datagrams.gid(Rxe.IPV4), 0, Datagrams.PORT)))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("no address handles");
    }

    @Test
    void takesAsManyRequestsAsWereAskedForThoughTheDeviceGrantsPowersOfTwo() throws Exception {
        QueuePair qp = pd.createQp(
                QueuePairOptions.builder().cq(cq).maxSendWr(5).maxReceiveWr(9).build());
        assertThat(qp.capacities().maxSendWr()).isEqualTo(5);
        assertThat(qp.capacities().maxReceiveWr()).isEqualTo(9);
    }
}
