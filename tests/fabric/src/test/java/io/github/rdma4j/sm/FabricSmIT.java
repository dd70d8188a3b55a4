// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void nothingOutlivesItsOwner() throws Exception {
        try (Program owner = Program.start(Program.java(DyingOwner.class))) {
            List<String> said = owner.success().lines().toList();
            assertThat(said)
                    .as("the directory, ibsim, opensm and the shell that looks after them")
                    .hasSize(4);
            for (String pid : said.subList(1, said.size())) {
                Await.until("the end of " + pid, () -> isGone(Long.parseLong(pid)));
            }
            Await.until("an empty place", () -> Files.notExists(Path.of(said.get(0))));
        }
    }

    private static boolean isGone(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
    }
}
