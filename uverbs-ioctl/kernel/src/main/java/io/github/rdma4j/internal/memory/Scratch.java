// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Memory for a short call that is made again and again: a thread takes a block and gives it back, and only a second
 * thread at the same time allocates another one.
 */
public final class Scratch {
    private final int bytes;
    private final AtomicReference<Block> idle = new AtomicReference<>();

    /** For blocks of {@code bytes}. Takes no memory before the first use. */
    public Scratch(int bytes) {
        this.bytes = bytes;
    }

    /** A block, with any content, until {@link #release}. */
    public Block take() {
        Block found = idle.getAndSet(null);
        return found == null ? new Block(bytes) : found;
    }

    /** The block is at the disposal of others. */
    public void release(Block block) {
        idle.set(block);
    }

    /** Memory of the process that the kernel can reach, in native byte order. */
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

        /** Where byte 0 is. */
        public long address() {
            return address;
        }
    }
}
