// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.ConnectxCompletionRing;
import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.ResizeCq;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/** A completion queue of ConnectX-3. The device writes entries of 32 or 64 bytes. */
final class Mlx4CompletionRing extends ConnectxCompletionRing {
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
        record().releaseInt(1, sequence | index());
        parts.doorbells()
                .ring(WqeCodes.MLX4_CQ_DOORBELL, Words.bigEndian((long) (sequence | cqn) << Integer.SIZE | index()));
    }

    // ---- another capacity

    /**
     * Prepares a new ring, to which the device moves during the command. A special entry is the last that the device
     * writes to the old ring. The kernel does nothing if the queue already has that size.
     */
    @Override
    public Creation<Created.Cq, CompletionRing> resize(int entries) throws RdmaException {
        if (entries == capacity()) {
            return Creation.of(DriverExchange.of(ResizeCq.BYTES, 0), granted -> this);
        }
        int waiting = waiting();
        if (waiting > entries) {
            throw new ErrnoException(
                    "RESIZE_CQ of mlx4",
                    Errno.EINVAL,
                    "the queue has " + waiting + " completions; " + entries + " entries are asked for");
        }
        int count = entries + 1;
        RingMemory memory = parts.shared().device().allocate(count << parts.entryShift(), "mlx4 completion ring");
        Entries to = parts.entries(memory.buffer(), count);
        prepareMove(to);
        return Creation.of(
                DriverExchange.of(ResizeCq.BYTES, 0, request -> request.putAddress(ResizeCq.BUF_ADDR, memory, 0)),
                granted -> {
                    if (granted.cqe() != entries || !moveTo(to, memory)) {
                        throw new MalformedReplyException("RESIZE_CQ of mlx4, cqe " + granted.cqe(), 0, Integer.BYTES);
                    }
                    return this;
                },
                // late writes of the device are harmless, because the kernel holds the memory
                destroyed -> memory.retire());
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

    /**
     * Moves the entries to the ring that the device now writes to.
     *
     * @return false if the device has not left the old ring, or has left more entries than the new ring holds
     */
    private boolean moveTo(Entries to, RingMemory memory) {
        int left = endOfRing();
        if (left < 0 || left >= to.count()) {
            return false;
        }
        move(left, to, memory);
        return true;
    }
}
