// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair of ConnectX is made of.
 *
 * @param qpn its number
 * @param type {@code IB_UVERBS_QPT_*}
 * @param pd the protection domain; of a target of XRC the XRC domain
 * @param userIndex what completions carry, -1 for version 0 of the completions
 * @param ring the receive ring, and behind it the send ring
 * @param record the doorbell record
 * @param sendBlocks 64-byte blocks of the send ring
 * @param receiveCount entries of the receive ring
 * @param receiveShift log2 of the bytes of a receive entry
 * @param doorbell where the send queue is rung, null for a target of XRC
 * @param sendCq the queue for the completions of sends, null for a target of XRC
 * @param receiveCq the queue for the completions of receives, null for both ends of XRC
 * @param srq the shared receive queue, null for receives of its own
 */
public record QueuePairSpec(
        int qpn,
        int type,
        int pd,
        int userIndex,
        Pinned ring,
        Pinned record,
        int sendBlocks,
        int receiveCount,
        int receiveShift,
        @Nullable Doorbell doorbell,
        @Nullable CardCq sendCq,
        @Nullable CardCq receiveCq,
        @Nullable CardSrq srq)
        implements QpSpec, Card.Maker<CardQp> {
    /** The memory of a queue pair without queues. */
    private static final ByteBuffer NO_MEMORY = ByteBuffer.allocateDirect(Long.BYTES);

    /** A target of XRC, which has no queues of its own. */
    public static QueuePairSpec target(int qpn, int domain) {
        Pinned nothing = Pinned.at(NativeMemory.address(NO_MEMORY), NO_MEMORY.capacity());
        return new QueuePairSpec(qpn, XRC_TGT, domain, -1, nothing, nothing, 0, 0, 0, null, null, null, null);
    }

    /**
     * A register for the doorbells of send queues.
     *
     * @param uar the page
     * @param register 0 or 1
     */
    public record Doorbell(UarPage uar, int register) {
        int offset() {
            return UarPage.SEND_DOORBELL + register * UarPage.REGISTER_BYTES;
        }
    }

    @Override
    public int completionIndex() {
        return userIndex != -1 ? userIndex : srq != null ? srq.number() : 0;
    }

    @Override
    public CardQp make(Complaints complaints, CardEvents events) {
        ReceiveSource receives = srq != null ? srq : new Mlx5Receives(this, complaints);
        return new CardQp(this, new Mlx5Sends(this, complaints), receives);
    }

    int sendRingAt() {
        return receiveCount << receiveShift;
    }
}
