// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.ConnectxQueueRings;
import io.github.rdma4j.internal.connectx.ConnectxReceiveRing;
import io.github.rdma4j.internal.connectx.Ports;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import org.jspecify.annotations.Nullable;

/** The rings of a ConnectX-3 queue pair, and the kind of its port. */
final class Mlx4QueueRings extends ConnectxQueueRings {
    private final Ports ports;
    private volatile boolean onEthernet;

    Mlx4QueueRings(
            Mlx4Parts parts, QueueMemory memory, Ends ends, Mlx4SendRing send, @Nullable ConnectxReceiveRing receive) {
        super(memory, parts.shared().queues(), ends, send, receive);
        this.ports = parts.shared().ports();
    }

    /** True if the port is an Ethernet port. */
    boolean isOnEthernet() {
        return onEthernet;
    }

    @Override
    public void modify(QpAttr attributes) throws RdmaException {
        if ((attributes.mask() & QpAttrMask.IBV_QP_PORT) != 0) {
            onEthernet = ports.isEthernet(attributes.portNum());
        }
    }
}
