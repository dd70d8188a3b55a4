// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The port properties that determine datagram addresses. */
public final class Ports {
    private static final int GRH_REQUIRED = 1;

    private final Device device;

    /** By port number; the link layer of a port does not change while the device is open. */
    private final Map<Integer, PortAttr> known = new ConcurrentHashMap<>();

    Ports(Device device) {
        this.device = device;
    }

    private PortAttr port(int number) throws RdmaException {
        PortAttr port = known.get(number);
        if (port == null) {
            port = device.queryPort(number);
            known.put(number, port);
        }
        return port;
    }

    /** True if the port is an Ethernet port. A device may have ports of both kinds. */
    public boolean isEthernet(int number) throws RdmaException {
        return port(number).linkLayer() == LinkLayer.ETHERNET;
    }

    /** True if {@code to} leaves through an Ethernet port. */
    public boolean isEthernet(AhAttr to) throws RdmaException {
        boolean ethernet = isEthernet(to.portNum());
        if (!to.isGlobal() && (ethernet || (port(to.portNum()).flags() & GRH_REQUIRED) != 0)) {
            throw new IllegalArgumentException(
                    "port " + to.portNum() + " needs the GID of the peer: the address must be global");
        }
        return ethernet;
    }

    /** True if the source GID of {@code to} is of type RoCE v2. */
    public boolean isUdp(AhAttr to) throws RdmaException {
        return device.queryGids().stream()
                .filter(gid -> gid.portNum() == to.portNum() && gid.gidIndex() == to.sgidIndex())
                .anyMatch(gid -> gid.gidType() == GidEntry.Type.ROCE_V2);
    }
}
