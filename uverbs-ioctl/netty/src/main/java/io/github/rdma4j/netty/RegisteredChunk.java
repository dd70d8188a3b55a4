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
}
