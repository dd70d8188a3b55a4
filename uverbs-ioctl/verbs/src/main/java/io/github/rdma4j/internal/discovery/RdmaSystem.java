// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_CMD_SYS_GET;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK;
import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.RDMA_NLDEV_SYS_ATTR_NETNS_MODE;

import io.github.rdma4j.internal.netlink.NetlinkMessage.Attributes;
import io.github.rdma4j.internal.netlink.NetlinkRequest;
import io.github.rdma4j.internal.netlink.RdmaNetlink;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;

/**
 * Settings for all RDMA devices of a kernel ({@code rdma system show}).
 *
 * @param sharedNamespaces true when every network namespace sees every device; false when a device is seen only in its
 *     own
 * @param copyOnFork true when the kernel copies registered memory at fork(2), so that a child process cannot disturb it
 */
public record RdmaSystem(boolean sharedNamespaces, boolean copyOnFork) {

    /** Queries RDMA netlink; fails with EPROTONOSUPPORT if no RDMA module is loaded. */
    public static RdmaSystem query(Kernel kernel) throws RdmaException {
        try (RdmaNetlink netlink = RdmaNetlink.open(kernel)) {
            Attributes answer = netlink.ask(NetlinkRequest.one("RDMA_NLDEV_CMD_SYS_GET", RDMA_NLDEV_CMD_SYS_GET));
            return new RdmaSystem(
                    answer.u8(RDMA_NLDEV_SYS_ATTR_NETNS_MODE).orElse(1) != 0,
                    answer.u8(RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK).orElse(0) != 0);
        }
    }
}
