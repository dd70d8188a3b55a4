// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.ConnectxCompletionRing;
import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.QueueMemory;
import java.nio.ByteBuffer;

/** A completion queue of ConnectX. The device writes entries of 64 bytes. */
final class Mlx5CompletionRing extends ConnectxCompletionRing {
    static final int ENTRY_SHIFT = 6;

    private static final int INVALID = CqeCodes.MLX5_CQE_INVALID << Mlx5CompletionReader.OPCODE_SHIFT;

    private final DoorbellPage doorbells;
    private final int cqn;

    Mlx5CompletionRing(Mlx5Parts parts, QueueMemory memory, Entries ring, int cqn) {
        super(memory, ring, 0, (cq, bytes) -> new Mlx5CompletionReader(cq, bytes, parts));
        this.doorbells = parts.doorbells().page();
        this.cqn = cqn;
    }

    /** Creates the entries of a new ring, given to the device. */
    static Entries newEntries(ByteBuffer memory, int entries) {
        for (int entry = 0; entry < entries; entry++) {
            memory.put((entry << ENTRY_SHIFT) + Cqe64.OP_OWN, (byte) INVALID);
        }
        Entries.Format format = new Entries.Format(Cqe64.BYTES, CqeCodes.MLX5_CQE_OWNER_MASK, INVALID, INVALID);
        return new Entries(memory, entries, ENTRY_SHIFT, format);
    }

    @Override
    public void arm(boolean solicitedOnly) {
        int word = events() | (solicitedOnly ? CqeCodes.MLX5_CQ_DB_REQ_NOT_SOL : 0) | index();
        record().releaseInt(1, word);
        doorbells.ring(CqeCodes.MLX5_CQ_DOORBELL, Words.bigEndian((long) word << Integer.SIZE | cqn));
    }
}
