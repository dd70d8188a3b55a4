// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.SysfsTree;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaPortTest {
    private static final String PORT = "class/infiniband/mlx5_0/ports/1/";

    @TempDir
    Path root;

    private Kernel kernel() {
        return new ScriptedKernel().kernel(root);
    }

    private RdmaPort port() {
        return RdmaPort.of(kernel(), "mlx5_0", 1);
    }

    @Test
    void readsTheFiles() throws Exception {
        new SysfsTree(root)
                .with(PORT + "state", "4: ACTIVE")
                .with(PORT + "link_layer", "InfiniBand")
                .with(PORT + "lid", "0x1f")
                .with(PORT + "sm_sl", "3")
                .with(PORT + "gids/0", "fe80:0000:0000:0000:0000:0000:0000:0001")
                .with(PORT + "pkeys/0", "0xffff")
                .with(PORT + "pkeys/1", "0x0000");
        assertThat(port().rawState()).contains(4);
        assertThat(port().state()).isEqualTo(PortAttr.State.ACTIVE);
        assertThat(port().text("state")).isEqualTo("4: ACTIVE");
        assertThat(port().linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
        assertThat(port().value("lid")).isEqualTo(31);
        assertThat(port().value("sm_sl")).isEqualTo(3);
        assertThat(port().gid(0).interfaceId()).isEqualTo(1);
        assertThat(port().pkeys()).containsExactly(0xffff, 0);
        assertThat(RdmaPort.list(kernel())).containsExactly(port());
    }

    @Test
    void distinguishesMissingFromUnknown() throws Exception {
        assertThat(port().rawState()).isEmpty();
        assertThat(port().state()).isEqualTo(PortAttr.State.UNKNOWN);
        assertThat(port().linkLayer()).isEqualTo(LinkLayer.UNSPECIFIED);
        assertThat(port().text("state")).isEqualTo("unknown");
        assertThat(port().value("lid")).isZero();
        assertThat(port().gid(0)).isEqualTo(new Gid(0, 0));
        assertThat(port().pkeys()).isEmpty();
        assertThat(RdmaPort.list(kernel())).isEmpty();
        new SysfsTree(root).with(PORT + "state", "9: NEW").with(PORT + "link_layer", "Carrier pigeon");
        assertThat(port().rawState()).contains(9);
        assertThat(port().state()).isEqualTo(PortAttr.State.UNKNOWN);
        assertThat(port().linkLayer()).isEqualTo(LinkLayer.UNKNOWN);
    }

    @Test
    void saysWhichFileIsMalformedOrCannotBeRead() throws Exception {
        new SysfsTree(root).with(PORT + "lid", "many").with(PORT + "gids/0", "none");
        assertThatThrownBy(() -> port().value("lid"))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("lid");
        assertThatThrownBy(() -> port().gid(0))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("gids/0");
        Files.createDirectories(port().directory().resolve("state"));
        assertThatThrownBy(() -> port().rawState())
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("cannot be read");
    }
}
