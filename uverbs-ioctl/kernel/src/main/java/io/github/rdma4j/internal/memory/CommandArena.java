// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The memory of one command to the kernel: header, attributes, payload and response in one direct buffer, so that a
 * reachable arena keeps all memory of the command alive.
 *
 * <p>For use in try-with-resources around the call; the memory is valid until {@link #close()}. Blocks are zeroed and
 * aligned to eight bytes. Not safe for use by several threads; buffers are pooled.
 */
public final class CommandArena implements AutoCloseable {
    /** Enough for all but a few commands, with their attributes and responses. */
    private static final int SIZE = 8 * 1024;

    private static final byte[] ZEROS = new byte[SIZE];

    private static final Queue<ByteBuffer> POOL = new ConcurrentLinkedQueue<>();

    private final ByteBuffer memory;
    private final long address;
    private int used;
    private boolean closed;

    private CommandArena(ByteBuffer memory) {
        this.memory = memory;
        this.address = NativeMemory.address(memory);
    }

    public static CommandArena open() {
        ByteBuffer pooled = POOL.poll();
        return new CommandArena(
                pooled != null ? pooled : ByteBuffer.allocateDirect(SIZE).order(ByteOrder.nativeOrder()));
    }

    /** Like {@link #open()}, for a command of {@code bytes}; memory larger than usual is not pooled. */
    public static CommandArena open(int bytes) {
        return bytes <= SIZE
                ? open()
                : new CommandArena(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
    }

    /** Reserves {@code bytes} zeroed bytes and returns their offset in {@link #buffer()}. */
    public int allocate(int bytes) {
        ensureOpen();
        if (bytes < 0 || bytes > memory.capacity() - used) {
            throw new IllegalArgumentException("a command of " + (used + (long) bytes)
                    + " bytes does not fit into the arena of " + memory.capacity());
        }
        int offset = used;
        if (isPooled()) {
            memory.put(offset, ZEROS, 0, bytes);
        }
        used = (offset + bytes + 7) & -8;
        return offset;
    }

    private boolean isPooled() {
        return memory.capacity() == SIZE;
    }

    /** The buffer of all blocks, in native byte order; use absolute access. */
    public ByteBuffer buffer() {
        ensureOpen();
        return memory;
    }

    /** The address of the byte at {@code offset}. */
    public long address(int offset) {
        ensureOpen();
        return address + offset;
    }

    /** After close, the memory may belong to another thread's command. */
    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("the command memory is closed");
        }
    }

    /** Returning the buffer to the pool keeps it reachable until here, so no fence is needed. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (isPooled()) {
                POOL.add(memory);
            }
        }
    }
}
