// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.support.SysfsTree;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsGidTest {
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
}
