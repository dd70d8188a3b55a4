// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Pooled memory for a short, frequent call: a thread takes a block and returns it; a new block is allocated only if all
 * blocks are in use.
 */
public final class Scratch {
    private final int bytes;
    private final IdlePool<Block> idle = new IdlePool<>();

    /** A pool for blocks of {@code bytes}. Allocates no memory before the first use. */
    public Scratch(int bytes) {
        this.bytes = bytes;
    }

    /** A block with arbitrary content, until {@link #release}. */
    public Block take() {
        @Nullable Block found = idle.take();
        return found == null ? new Block(bytes) : found;
    }

    /** Returns the block to the pool. */
    public void release(Block block) {
        idle.put(block);
    }

    /** Native memory for kernel calls, in native byte order. */
    public static final class Block {
        private final ByteBuffer memory;
        private final long address;

        private Block(int bytes) {
            memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            address = NativeMemory.address(memory);
        }

        /** The content. */
        public ByteBuffer memory() {
            return memory;
        }

        /** The address of byte 0. */
        public long address() {
            return address;
        }
    }
}
