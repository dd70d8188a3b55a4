// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.RingMemory;
import org.jspecify.annotations.Nullable;

/** The rings of a ConnectX queue pair, which lie in one piece of memory: the receive ring, and the send ring behind it. */
final class Mlx5QueueRings implements QueueRings {
    private final Mlx5Context context;
    private final RingMemory memory;
    private final DoorbellRecord record;
    private final Ends ends;
    private final Mlx5SendRing send;
    private final @Nullable Mlx5ReceiveRing receive;

    /**
     * What a completion of the queue pair has to agree with.
     *
     * @param number by which completions name the queue pair: the user index, or the queue pair number
     * @param qpn the queue pair number
     * @param datagram true for a queue pair whose receives tell their source
     * @param sendCq where sends complete
     * @param receiveCq where receives complete, null for an initiator of XRC
     * @param shared where receives come from, null for a receive queue of its own
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
