// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Captured;
import org.junit.jupiter.api.Test;

class NetlinkRequestTest {
    @Test
    void asksForADump() {
        assertThat(NetlinkRequest.dump("RDMA_NLDEV_CMD_GET", 1).bytes(1)).isEqualTo(Captured.GET_REQUEST);
    }

    @Test
    void padsAttributesToFourBytes() {
        NetlinkRequest request =
                NetlinkRequest.one("RDMA_NLDEV_CMD_GET_CHARDEV", 15).u32(1, 0).string(69, "uverbs");
        assertThat(request.bytes(2)).isEqualTo(Captured.UVERBS_REQUEST);
    }

    @Test
    void canBeSentAgainWithAnotherNumber() {
        NetlinkRequest request = NetlinkRequest.one("RDMA_NLDEV_CMD_SYS_GET", 6);
        request.bytes(7);
        assertThat(request.bytes(1)).isEqualTo(Captured.SYSTEM_REQUEST);
    }
}
