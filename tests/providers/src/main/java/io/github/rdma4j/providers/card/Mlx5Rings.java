// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The rings of a queue pair of ConnectX.
 *
 * @param userIndex what completions carry, -1 for version 0 of the completions
 * @param ring the receive ring, and behind it the send ring
 * @param record the doorbell record
 * @param sendBlocks 64-byte blocks of the send ring
 * @param receiveCount entries of the receive ring
 * @param receiveShift log2 of the bytes of a receive entry
 * @param doorbell where the send queue is rung, null for a target of XRC
 */
public record Mlx5Rings(
        int userIndex,
        Pinned ring,
        Pinned record,
        int sendBlocks,
        int receiveCount,
        int receiveShift,
        @Nullable Doorbell doorbell)
        implements QpSpec.Rings {
    /** The memory of a queue pair without queues. */
    private static final ByteBuffer NO_MEMORY = ByteBuffer.allocateDirect(Long.BYTES);

    /** A target of XRC, which has no queues of its own. */
    public static QpSpec target(int qpn, int domain) {
        Pinned nothing = Pinned.at(NativeMemory.address(NO_MEMORY), NO_MEMORY.capacity());
        Mlx5Rings none = new Mlx5Rings(-1, nothing, nothing, 0, 0, 0, null);
        return new QpSpec(qpn, QpSpec.XRC_TGT, domain, null, null, null, none);
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
    public int completionIndex(QpSpec spec) {
        CardSrq srq = spec.srq();
        return userIndex != -1 ? userIndex : srq != null ? srq.number() : 0;
    }

    @Override
    public SendSource sends(QpSpec spec, Complaints complaints) {
        return new Mlx5Sends(spec, this, complaints);
    }

    @Override
    public ReceiveSource receives(QpSpec spec, Complaints complaints) {
        return new ConnectxReceives(ring, record, new ConnectxReceives.Part(0, receiveCount, receiveShift), complaints);
    }

    int sendRingAt() {
        return receiveCount << receiveShift;
    }
}
