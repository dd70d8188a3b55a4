// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import org.jspecify.annotations.Nullable;

/** The rings of a ConnectX-3 queue pair, in one piece of memory. */
final class Mlx4QueueRings implements QueueRings {
    private final Mlx4Context context;
    private final RingMemory memory;
    private final @Nullable DoorbellWords record;
    private final Ends ends;
    private final Mlx4SendRing send;
    private final @Nullable Mlx4ReceiveRing receive;
    private volatile boolean onEthernet;

    /**
     * The properties that a completion of the queue pair must match.
     *
     * @param qpn the queue pair number
     * @param datagram true if receives report their source
     * @param sendCq the completion queue of sends
     * @param receiveCq the completion queue of receives; null for an XRC initiator
     * @param shared the shared receive queue; null if the queue pair has its own receive queue
     */
    record Ends(
            int qpn,
            boolean datagram,
            Mlx4CompletionRing sendCq,
            @Nullable Mlx4CompletionRing receiveCq,
            @Nullable Mlx4SharedReceiveRing shared) {}

    /**
     * The memory of a queue pair.
     *
     * @param rings both rings
     * @param record the doorbell record of the receive ring; null without one
     */
    record Places(RingMemory rings, @Nullable DoorbellWords record) {}

    Mlx4QueueRings(
            Mlx4Context context, Places places, Ends ends, Mlx4SendRing send, @Nullable Mlx4ReceiveRing receive) {
        this.context = context;
        this.memory = places.rings();
        this.record = places.record();
        this.ends = ends;
        this.send = send;
        this.receive = receive;
    }

    Ends ends() {
        return ends;
    }

    @Override
    public Mlx4SendRing send() {
        return send;
    }

    @Override
    public @Nullable Mlx4ReceiveRing receive() {
        return receive;
    }

    /** True when the port is an Ethernet port. */
    boolean isOnEthernet() {
        return onEthernet;
    }

    @Override
    public void modify(QpAttr attributes) throws RdmaException {
        if ((attributes.mask() & QpAttrMask.IBV_QP_PORT) != 0) {
            onEthernet = context.ports().isEthernet(attributes.portNum());
        }
    }

    @Override
    public void reset() {
        send.reset();
        if (receive != null) {
            receive.reset();
        }
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
        if (destroyed) {
            context.forget(this);
        }
        if (record != null) {
            context.release(record, destroyed);
        }
    }
}
