// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.SysfsTree;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsGidTest {
    private static final String LINK_LAYER = "class/infiniband/mlx5_0/ports/1/link_layer";
    private static final String LINK_LOCAL = "fe80:0000:0000:0000:e045:acff:feca:d6d6";

    @TempDir
    Path root;

    private Kernel kernel() {
        return new ScriptedKernel().kernel(root);
    }

    @Test
    void readsWhatAPopulatedSlotSays() throws Exception {
        new SysfsTree(root).withGid("rxe0", 0, LINK_LOCAL, "RoCE v2", "veth0");
        assertThat(SysfsGid.read(kernel(), "rxe0", 1))
                .containsExactly(new SysfsGid(0, Gid.parse(LINK_LOCAL), "RoCE v2", "veth0"));
    }

    @Test
    void leavesEmptyWhatTheKernelDoesNotTell() throws Exception {
        new SysfsTree(root).withGid("ib0", 0, LINK_LOCAL, "", "");
        assertThat(SysfsGid.read(kernel(), "ib0", 1)).containsExactly(new SysfsGid(0, Gid.parse(LINK_LOCAL), "", ""));
    }

    @Test
    void aPortThatDoesNotExistHasNone() throws Exception {
        new SysfsTree(root).withGid("rxe0", 0, LINK_LOCAL, "RoCE v2", "veth0");
        assertThat(SysfsGid.read(kernel(), "rxe0", 2)).isEmpty();
        assertThat(SysfsGid.read(kernel(), "rxe1", 1)).isEmpty();
    }

    @Test
    void saysWhichFileIsMalformed() throws Exception {
        new SysfsTree(root).withGid("rxe0", 0, "fe80::1", "RoCE v2", "veth0");
        assertThatThrownBy(() -> SysfsGid.read(kernel(), "rxe0", 1))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("gids/0")
                .hasMessageContaining("fe80::1");
    }

    @Test
    void theTypeIsThatOfTheLinkLayer() throws Exception {
        SysfsTree sysfs = new SysfsTree(root);
        SysfsGid gid = new SysfsGid(0, Gid.parse(LINK_LOCAL), "IB/RoCE v1", "");
        assertThat(gid.toEntry(kernel(), "mlx5_0", 1).gidType()).isEqualTo(GidEntry.Type.IB);
        sysfs.with(LINK_LAYER, "InfiniBand");
        assertThat(gid.toEntry(kernel(), "mlx5_0", 1).gidType()).isEqualTo(GidEntry.Type.IB);
        sysfs.with(LINK_LAYER, "Ethernet");
        assertThat(gid.toEntry(kernel(), "mlx5_0", 1).gidType()).isEqualTo(GidEntry.Type.ROCE_V1);
    }

    @Test
    void guessesNoTypeIfTheLinkLayerCannotBeRead() throws Exception {
        SysfsGid gid = new SysfsGid(0, Gid.parse(LINK_LOCAL), "IB/RoCE v1", "");
        Files.createDirectories(RdmaPort.of(kernel(), "mlx5_0", 1).directory().resolve("link_layer"));
        assertThatThrownBy(() -> gid.toEntry(kernel(), "mlx5_0", 1))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("link_layer exists but cannot be read");
    }
}
