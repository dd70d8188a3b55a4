// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The properties of ports that determine the addresses of datagrams. */
final class Ports {
    private static final int GRH_REQUIRED = 1;

    private final Device device;

    /** By number; the link layer of a port never changes. */
    private final Map<Integer, PortAttr> known = new ConcurrentHashMap<>();

    Ports(Device device) {
        this.device = device;
    }

    /** True when {@code to} leaves through an Ethernet port. */
    boolean isEthernet(AhAttr to) throws RdmaException {
        PortAttr port = known.get(to.portNum());
        if (port == null) {
            port = device.queryPort(to.portNum());
            known.put(to.portNum(), port);
        }
        boolean ethernet = port.linkLayer() == LinkLayer.ETHERNET;
        if (!to.isGlobal() && (ethernet || (port.flags() & GRH_REQUIRED) != 0)) {
            throw new IllegalArgumentException(
                    "port " + to.portNum() + " needs the GID of the peer: the address must be global");
        }
        return ethernet;
    }

    /** True when the source GID of {@code to} sends InfiniBand packets in UDP datagrams. */
    boolean isUdp(AhAttr to) throws RdmaException {
        return device.queryGids().stream()
                .filter(gid -> gid.portNum() == to.portNum() && gid.gidIndex() == to.sgidIndex())
                .anyMatch(gid -> gid.gidType() == GidEntry.Type.ROCE_V2);
    }
}
