// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateAhResp;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.verbs.attr.AhAttr;

/**
 * The driver's part of CREATE_AH, whose reply contains the destination's MAC address on an Ethernet port.
 *
 * @param to the address
 * @param ethernet true for an Ethernet port
 * @param udp true for RoCE v2
 */
record AddressCreation(AhAttr to, boolean ethernet, boolean udp) implements Creation<Created.Ah, AddressVector> {
    @Override
    public int replyBytes() {
        return ethernet ? CreateAhResp.BYTES : 0;
    }

    @Override
    public AddressVector finish(Created.Ah granted) {
        return ethernet
                ? Mlx5AddressVector.ethernet(to, granted.driverReply(), CreateAhResp.DMAC, udp)
                : Mlx5AddressVector.infiniband(to);
    }

    @Override
    public void abandon(boolean destroyed) {}
}
