// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadTransport;
import org.junit.jupiter.api.Test;

/** That the fabric of the other tests is one. */
@OnFabric
class FabricSmIT {
    @Test
    void aClientSeesItsPort() throws Exception {
        try (IbsimFabric fabric = IbsimFabric.start(FabricPlan.ofAdapters(3).speed("HcaC", "4xSDR"));
                MadTransport transport = fabric.attach("HcaB")) {
            LocalPort port = transport.port();
            assertThat(port.isActive()).isTrue();
            assertThat(port.gid().interfaceId()).isEqualTo(FabricPlan.portGuid("HcaB"));
            assertThat(port.pkeys().get(0)).isEqualTo(0xffff);
            assertThat(port.lid()).isNotZero().isNotEqualTo(port.smLid());
            assertThat(fabric.saquery("HcaC", "-c")).contains("Capability mask 2");
        }
    }

    @Test
    void thePortGoesDownAndComesBack() throws Exception {
        try (IbsimFabric fabric = IbsimFabric.start(FabricPlan.ofAdapters(2));
                MadTransport transport = fabric.attach("HcaB")) {
            fabric.openSm().awaitSweep(() -> fabric.unlink("HcaB"));
            assertThat(transport.port().isActive()).isFalse();
            fabric.openSm().awaitSweep(() -> fabric.relink("HcaB"));
            assertThat(transport.port().isActive()).isTrue();
        }
    }
}
