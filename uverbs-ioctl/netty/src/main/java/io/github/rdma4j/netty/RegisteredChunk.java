// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Mapped memory that forms one memory region and is allocated in blocks. Guarded by the pool's lock. */
final class RegisteredChunk {
    /**
     * log2 of the smallest block: memory written by device and processor at the same time should not share cache lines.
     */
    private static final int UNIT_BITS = 8;

    private final MappedMemory memory;
    private final MemoryRegion region;
    private final BuddyTree tree;
    private final int bytes;
    private final boolean single;

    /**
     * A block of a chunk.
     *
     * @param chunk the chunk
     * @param offset the offset of the block in the chunk
     * @param order the order of the block in the tree
     * @param memory the bytes
     */
    record Block(RegisteredChunk chunk, int offset, int order, ByteBuffer memory) {
        long address() {
            return chunk.region.iova() + offset;
        }

        MemoryRegion region() {
            return chunk.region;
        }
    }

    private RegisteredChunk(MappedMemory memory, MemoryRegion region, int bytes, boolean single) {
        this.memory = memory;
        this.region = region;
        this.bytes = bytes;
        this.single = single;
        tree = new BuddyTree(single ? 0 : Integer.numberOfTrailingZeros(bytes) - UNIT_BITS);
    }

    /**
     * Registers a chunk.
     *
     * @param single whether the chunk is one block of any size; otherwise {@code bytes} is a power of two
     */
    static RegisteredChunk register(ProtectionDomain pd, Set<Access> access, int bytes, boolean single)
            throws RdmaException {
        MappedMemory memory = MappedMemory.allocate(bytes);
        return Undo.onFailure(
                () -> {
                    MemoryRegion region = pd.registerMr(memory, access);
                    return Undo.onFailure(() -> new RegisteredChunk(memory, region, bytes, single), region::close);
                },
                memory::close);
    }

    int bytes() {
        return bytes;
    }

    /** Returns true if the chunk was registered for a single large block. */
    boolean isSingle() {
        return single;
    }

    boolean isFree() {
        return tree.isFree();
    }

    /** Returns false once the protection domain is closed. */
    boolean isRegistered() {
        return !region.isClosed();
    }

    /** Takes a block; returns null if there is no room. */
    @Nullable
    Block take(int wanted) {
        int order = single ? 0 : orderOf(wanted);
        int unit = tree.take(order);
        if (unit < 0) {
            return null;
        }
        int offset = single ? 0 : unit << UNIT_BITS;
        int length = single ? bytes : 1 << (order + UNIT_BITS);
        return new Block(this, offset, order, memory.slice(offset, length));
    }

    private static int orderOf(int wanted) {
        int units = Math.max(1, (wanted + (1 << UNIT_BITS) - 1) >>> UNIT_BITS);
        return Integer.SIZE - Integer.numberOfLeadingZeros(units - 1);
    }

    void give(Block block) {
        tree.give(single ? 0 : block.offset >> UNIT_BITS, block.order);
    }

    /** Deregisters the memory, then unmaps it. If deregistration fails, the memory stays mapped. */
    void close() {
        try {
            region.close();
        } catch (RdmaException e) {
            throw new UncheckedIOException("cannot deregister " + bytes + " bytes of a RegisteredByteBufAllocator", e);
        }
        memory.close();
    }

    /**
     * A buddy allocator: splits a range into blocks of power-of-two lengths by halving, and merges free halves. A block of
     * order n has 2^n units. Not safe for use by several threads.
     */
    private static final class BuddyTree {
        private final int order;

        /**
         * For each node, with the root at index 1: one more than the order of the largest free block below it, or 0 if
         * there is none.
         */
        private final byte[] largest;

        /** Creates a free range of 2^{@code order} units. */
        BuddyTree(int order) {
            this.order = order;
            largest = new byte[2 << order];
            for (int node = 1; node < largest.length; node++) {
                int depth = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(node);
                largest[node] = (byte) (order - depth + 1);
            }
        }

        boolean isFree() {
            return largest[1] == order + 1;
        }

        /** Takes a free block of order {@code wanted}; returns its first unit, or -1 if there is none. */
        int take(int wanted) {
            if (largest[1] <= wanted) {
                return -1;
            }
            int node = 1;
            for (int at = order; at > wanted; at--) {
                node = largest[2 * node] > wanted ? 2 * node : 2 * node + 1;
            }
            set(node, wanted, 0);
            return (node << wanted) - (1 << order);
        }

        /** Frees a block. */
        void give(int unit, int taken) {
            set((unit + (1 << order)) >> taken, taken, taken + 1);
        }

        private void set(int node, int at, int free) {
            largest[node] = (byte) free;
            int whole = at + 1;
            for (int parent = node / 2; parent > 0; parent /= 2) {
                int left = largest[2 * parent];
                int right = largest[2 * parent + 1];
                largest[parent] = (byte) (left == whole && right == whole ? whole + 1 : Math.max(left, right));
                whole++;
            }
        }
    }
}
