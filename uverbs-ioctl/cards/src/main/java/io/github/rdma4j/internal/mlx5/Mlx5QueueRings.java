// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/**
 * The rings of a ConnectX queue pair, in one piece of memory: the receive ring, followed by the send ring.
 */
final class Mlx5QueueRings implements QueueRings {
    private final Mlx5Context context;
    private final RingMemory memory;
    private final DoorbellWords record;
    private final Ends ends;
    private final Mlx5SendRing send;
    private final @Nullable Mlx5ReceiveRing receive;

    /**
     * The properties that a completion of the queue pair must match.
     *
     * @param number the number of the queue pair in completions: the user index, or the queue pair number
     * @param qpn the queue pair number
     * @param datagram true if receives report their source
     * @param sendCq the completion queue of sends
     * @param receiveCq the completion queue of receives; null for an XRC initiator
     * @param shared the shared receive queue; null if the queue pair has its own receive queue
     */
    record Ends(
            int number,
            int qpn,
            boolean datagram,
            Mlx5CompletionRing sendCq,
            @Nullable Mlx5CompletionRing receiveCq,
            @Nullable Mlx5SharedReceiveRing shared) {}

    Mlx5QueueRings(
            Mlx5Context context, RingMemory memory, Ends ends, Mlx5SendRing send, @Nullable Mlx5ReceiveRing receive) {
        this.context = context;
        this.memory = memory;
        this.record = send.record();
        this.ends = ends;
        this.send = send;
        this.receive = receive;
    }

    Ends ends() {
        return ends;
    }

    @Override
    public Mlx5SendRing send() {
        return send;
    }

    @Override
    public @Nullable Mlx5ReceiveRing receive() {
        return receive;
    }

    @Override
    public void reset() {
        send.reset();
        if (receive != null) {
            receive.reset();
        }
        record.clear();
    }

    @Override
    public void retire(boolean destroyed) {
        memory.retire();
        if (destroyed) {
            context.forget(this);
        }
        context.release(record, destroyed);
    }
}
