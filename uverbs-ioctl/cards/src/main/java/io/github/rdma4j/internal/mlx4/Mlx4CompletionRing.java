// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.ConnectxCompletionRing;
import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.kernel.RdmaException;

/** A completion queue of ConnectX-3. The device writes entries of 32 or 64 bytes. */
final class Mlx4CompletionRing extends ConnectxCompletionRing implements CompletionQueueResize.Movable {
    private final Mlx4Parts parts;
    private final int cqn;

    Mlx4CompletionRing(Mlx4Parts parts, QueueMemory memory, Entries ring, int cqn) {
        super(memory, ring, 1, (cq, bytes) -> new Mlx4CompletionReader(cq, bytes, parts));
        this.parts = parts;
        this.cqn = cqn;
    }

    @Override
    public void arm(boolean solicitedOnly) {
        int sequence = events() | (solicitedOnly ? CqeCodes.MLX4_CQ_DB_REQ_NOT_SOL : CqeCodes.MLX4_CQ_DB_REQ_NOT);
        record().releaseSecond(sequence | index());
        parts.doorbells()
                .ring(WqeCodes.MLX4_CQ_DOORBELL, Words.bigEndian((long) (sequence | cqn) << Integer.SIZE | index()));
    }

    // ---- another capacity

    @Override
    public Creation<Created.Cq, CompletionRing> resize(int entries) throws RdmaException {
        return CompletionQueueResize.prepare(parts, this, entries + 1);
    }

    @Override
    public int unpolled() {
        return waiting();
    }

    @Override
    public void prepareFor(Entries to) {
        prepareMove(to);
    }

    /**
     * The number of entries before the one by which the device has left the ring; -1 if it is not among the written
     * entries.
     */
    private int endOfRing() {
        int written = waiting();
        for (int ahead = 0; ahead < written; ahead++) {
            if ((lastWord(ahead) & CqeCodes.MLX4_CQE_OPCODE_MASK) == CqeCodes.MLX4_CQE_OPCODE_RESIZE) {
                return ahead;
            }
        }
        return -1;
    }

    @Override
    public boolean moveTo(Entries to, RingMemory memory) {
        int left = endOfRing();
        if (left < 0 || left >= to.count()) {
            return false;
        }
        move(left, to, memory);
        return true;
    }
}
