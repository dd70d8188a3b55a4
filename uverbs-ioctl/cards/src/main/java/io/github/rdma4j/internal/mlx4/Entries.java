// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of a completion queue. The owner bit of an entry changes with every lap of the ring, and so distinguishes
 * new entries from old entries. Indexes run freely.
 *
 * @param memory the memory
 * @param ring its bytes, big endian
 * @param count entries, a power of two
 * @param shift log2 of the bytes of an entry
 */
record Entries(RingMemory memory, ByteBuffer ring, int count, int shift) {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** The word with the owner bit and the opcode. */
    private static final int LAST_WORD = CqeBytes.RESERVED3;

    static Entries of(Mlx4Context context, RingMemory memory, int count) {
        return new Entries(
                memory, memory.buffer().duplicate().order(ByteOrder.BIG_ENDIAN), count, context.entryShift());
    }

    /** Where the meaningful bytes of the entry of {@code index} begin. */
    int at(int index) {
        return ((index & (count - 1)) << shift) + (1 << shift) - CqeBytes.BYTES;
    }

    /** The last word of the entry at {@code at}, read before the rest of the entry. */
    int lastWord(int at) {
        return (int) INT.getAcquire(ring, at + LAST_WORD);
    }

    /** True when the device has written the entry of {@code index}, whose last word is {@code last}, in this lap. */
    boolean isWritten(int last, int index) {
        return (last & CqeCodes.MLX4_CQE_OWNER_MASK) == ownerOf(index);
    }

    private int ownerOf(int index) {
        return (index & count) == 0 ? 0 : CqeCodes.MLX4_CQE_OWNER_MASK;
    }

    /** Gives all entries from {@code first} on to the device. The kernel or the device does so as well. */
    void disown(int first) {
        for (int index = first; index != first + count; index++) {
            ring.put(at(index) + CqeBytes.OWNER_SR_OPCODE, (byte) (ownerOf(index) ^ CqeCodes.MLX4_CQE_OWNER_MASK));
        }
    }

    /** Copies the entry at {@code from} of {@code old} to {@code index}, with the owner bit that fits there. */
    void copy(Entries old, int from, int index) {
        int to = at(index);
        int operation = old.ring.get(from + CqeBytes.OWNER_SR_OPCODE) & ~CqeCodes.MLX4_CQE_OWNER_MASK;
        for (int i = 0; i < CqeBytes.BYTES; i += Long.BYTES) {
            ring.putLong(to + i, old.ring.getLong(from + i));
        }
        ring.put(to + CqeBytes.OWNER_SR_OPCODE, (byte) (operation | ownerOf(index)));
    }
}
