// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.IFLA_INFO_DATA;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.IFLA_INFO_KIND;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.IFLA_LINKINFO;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.IFLA_VLAN_ID;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.RTM_GETLINK;

import io.github.rdma4j.internal.netlink.NetlinkMessage.Attributes;
import io.github.rdma4j.internal.netlink.RouteAbi.LinkMessage;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The VLANs of this host's network interfaces. */
public final class Vlans {
    private static final String KIND = "vlan";

    private Vlans() {}

    /**
     * The VLAN of a network interface, 0 to 4095; -1 for an interface without a VLAN.
     *
     * @param interfaceIndex the index of the interface; 0 for none, which has no VLAN
     */
    public static int of(Kernel kernel, int interfaceIndex) throws RdmaException {
        if (interfaceIndex == 0) {
            return -1;
        }
        byte[] bytes = new byte[LinkMessage.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(LinkMessage.IFI_INDEX, interfaceIndex);
        try (RdmaNetlink netlink = RdmaNetlink.openRoutes(kernel)) {
            NetlinkMessage answer = netlink.message(
                    NetlinkRequest.of("RTM_GETLINK of interface " + interfaceIndex, RTM_GETLINK, 0, bytes));
            Attributes info = answer.attributes(LinkMessage.BYTES).nested(IFLA_LINKINFO);
            boolean isVlan = info.string(IFLA_INFO_KIND).filter(KIND::equals).isPresent();
            return isVlan ? info.nested(IFLA_INFO_DATA).u16(IFLA_VLAN_ID).orElse(-1) : -1;
        }
    }
}
