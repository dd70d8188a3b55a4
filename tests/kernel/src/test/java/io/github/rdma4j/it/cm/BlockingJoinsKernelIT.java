// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Two threads that join groups with one synchronous id: each gets the events of its own groups. */
@RequiresKernel
class BlockingJoinsKernelIT {
    private static final int JOINS = 150;

    @Test
    void eachThreadHearsOfItsOwnGroups() throws Exception {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            Await.Running<Integer> other = Await.inThread(() -> join(id, 1));
            assertThat(join(id, 2)).isEqualTo(JOINS);
            assertThat(other.result()).isEqualTo(JOINS);
        }
    }

    private static int join(BlockingCmId id, int network) throws Exception {
        int joined = 0;
        for (int i = 0; i < JOINS; i++) {
            InetSocketAddress group = new InetSocketAddress("239.77." + network + "." + (1 + i), 0);
            try (GroupMembership membership = id.joinMulticast(group, GroupMembership.Mode.FULL_MEMBER, Await.LIMIT)) {
                assertThat(membership.group()).isEqualTo(group);
                joined++;
            }
        }
        return joined;
    }
}
