// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.mlx5.card;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is made of.
 *
 * @param qpn its number
 * @param type {@code IB_UVERBS_QPT_*}
 * @param pd the protection domain
 * @param userIndex what completions carry, -1 for version 0 of the completions
 * @param ring the receive ring, and behind it the send ring
 * @param record the doorbell record
 * @param sendBlocks 64-byte blocks of the send ring
 * @param receiveCount entries of the receive ring
 * @param receiveShift log2 of the bytes of a receive entry
 * @param doorbell where the send queue is rung
 * @param sendCq the queue for the completions of sends
 * @param receiveCq the queue for the completions of receives
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
        Doorbell doorbell,
        CardCq sendCq,
        CardCq receiveCq,
        @Nullable CardSrq srq) {
    public static final int RC = 2;
    public static final int UC = 3;
    public static final int UD = 4;

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

    int sendRingAt() {
        return receiveCount << receiveShift;
    }
}
