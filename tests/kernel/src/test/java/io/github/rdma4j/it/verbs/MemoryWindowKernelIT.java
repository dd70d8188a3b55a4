// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.MemoryWindow;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Windows of soft-RoCE. */
@RequiresKernel
class MemoryWindowKernelIT extends MemoryWindowScenarios {
    /** soft-RoCE holds the peer to the range of the region, and not to that of the window. */
    @Override
    long behindTheWindow() {
        return BYTES;
    }

    @Override
    Set<WorkCompletionStatus> statusOfARefusedBind() {
        return Set.of(WorkCompletionStatus.MW_BIND_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void bindsAWindowTwiceInOnePost() throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(MemoryWindow.Type.TYPE_1)) {
            SendWorkRequest[] binds = {
                request().bind(window, region, 0, 8, READ_WRITE), request().bind(window, region, 16, 8, READ_WRITE)
            };
            assertThat(server.qp().postSend(binds, 2)).isEqualTo(2);
            server.success();
            server.success();
            assertThat(write(window.rkey(), 16)).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    @Test
    void keepsARegionWithAWindowOnIt() throws Exception {
        MemoryRegion bound = server.pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.MW_BIND));
        try (MemoryWindow window = server.pd().allocateMw(MemoryWindow.Type.TYPE_1)) {
            server.qp().postSend(request().bind(window, bound, 0, 8, READ_WRITE));
            server.success();
            assertThatThrownBy(bound::close).hasMessageContaining("EINVAL");
        }
        assertThatThrownBy(ends::close)
                .as("the region is the kernel's until the context goes")
                .hasMessageContaining("EBUSY");
    }

    @Test
    void refusesWhatNoDeviceWouldTake() throws Exception {
        try (MemoryWindow first = server.pd().allocateMw(MemoryWindow.Type.TYPE_1);
                MemoryWindow second = server.pd().allocateMw(MemoryWindow.Type.TYPE_2);
                MemoryWindow foreign = client.pd().allocateMw(MemoryWindow.Type.TYPE_2)) {
            assertThatThrownBy(() -> request().localInvalidate(first)).hasMessageContaining("TYPE_1");
            assertThatThrownBy(() -> request().bind(second, region, 0, 0, READ_WRITE))
                    .hasMessageContaining("length of at least 1");
            assertThatThrownBy(() -> request().bind(second, region, 250, 8, READ_WRITE))
                    .hasMessageContaining("must lie within the region");
            assertThatThrownBy(() -> request().bind(second, region, 0, 8, EnumSet.of(Access.LOCAL_WRITE)))
                    .hasMessageContaining("LOCAL_WRITE");
            assertThatThrownBy(() -> server.qp().postSend(request().bind(foreign, region, 0, 8, READ_WRITE)))
                    .hasMessageContaining("another protection domain");
            assertThatThrownBy(() -> server.qp()
                            .postSend(request().add(server.region(), 0, 8).bind(second, region, 0, 8, READ_WRITE)))
                    .hasMessageContaining("no scatter-gather entries");
        }
    }
}
