// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.memory.IdlePool;
import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Native memory that one call borrows: an array of {@code struct iovec}, and room for the bytes of buffers on the heap. Small structs
 * (addresses, options) use the beginning of the room.
 */
final class Block {
    /** Linux takes no more elements in one call. */
    static final int VECTORS = 1024;

    static final int ROOM = 64 * 1024;

    private static final int VECTOR_BYTES = 16;
    private static final int VECTOR_LENGTH = 8;
    private static final IdlePool<Block> POOL = new IdlePool<>();

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(VECTORS * VECTOR_BYTES + ROOM).order(ByteOrder.nativeOrder());
    private final ByteBuffer head = memory.slice(0, VECTORS * VECTOR_BYTES).order(ByteOrder.nativeOrder());
    private final ByteBuffer room = memory.slice(VECTORS * VECTOR_BYTES, ROOM).order(ByteOrder.nativeOrder());
    private final long address = NativeMemory.address(memory);

    /** Which elements of the array lie in the room, for a buffer on the heap. */
    private final boolean[] onHeap = new boolean[VECTORS];

    private int count;
    private int used;

    static Block take() {
        Block pooled = POOL.take();
        return pooled == null ? new Block() : pooled;
    }

    /** A block that the pool does not keep becomes garbage. */
    @SuppressWarnings("CheckReturnValue")
    void giveBack() {
        POOL.put(this);
    }

    /** The room, to be read and written by index. */
    ByteBuffer room() {
        return room;
    }

    long roomAddress() {
        return address + VECTORS * VECTOR_BYTES;
    }

    /** The memory of the array, for the address of a datagram whose bytes are in the room. */
    ByteBuffer head() {
        return head;
    }

    long vectorAddress() {
        return address;
    }

    int count() {
        return count;
    }

    /** Copies bytes from the position of {@code source} into the room, and leaves the position. */
    int fill(ByteBuffer source) {
        int bytes = Math.min(source.remaining(), ROOM);
        room.put(0, source, source.position(), bytes);
        return bytes;
    }

    /** Moves bytes from the room to {@code target}. */
    void drainTo(ByteBuffer target, int bytes) {
        target.put(target.position(), room, 0, bytes);
        target.position(target.position() + bytes);
    }

    /** Makes the array for a gathering write. Ends early when the room for bytes on the heap is used up. */
    void gather(ByteBuffer[] sources, int offset, int length) {
        describe(sources, offset, length, true);
    }

    /** Makes the array for a scattering read. */
    void scatter(ByteBuffer[] targets, int offset, int length) {
        describe(targets, offset, length, false);
    }

    private void describe(ByteBuffer[] buffers, int offset, int length, boolean writes) {
        count = 0;
        used = 0;
        for (int i = offset; i < offset + length && count < VECTORS; i++) {
            ByteBuffer buffer = buffers[i];
            int bytes = buffer.remaining();
            if (bytes == 0) {
                continue;
            }
            if (buffer.isDirect()) {
                element(NativeMemory.address(buffer) + buffer.position(), bytes, false);
                continue;
            }
            int fitting = Math.min(bytes, ROOM - used);
            if (fitting == 0) {
                return;
            }
            if (writes) {
                room.put(used, buffer, buffer.position(), fitting);
            }
            element(roomAddress() + used, fitting, true);
            used += fitting;
            if (fitting < bytes) {
                return;
            }
        }
    }

    private void element(long start, int bytes, boolean inRoom) {
        onHeap[count] = inRoom;
        memory.putLong(count * VECTOR_BYTES, start);
        memory.putLong(count * VECTOR_BYTES + VECTOR_LENGTH, bytes);
        count++;
    }

    /** Moves positions by the {@code bytes} that a write has taken. */
    static void written(ByteBuffer[] sources, int offset, int length, long bytes) {
        long left = bytes;
        for (int i = offset; i < offset + length && left > 0; i++) {
            int part = (int) Math.min(left, sources[i].remaining());
            sources[i].position(sources[i].position() + part);
            left -= part;
        }
    }

    /** Moves positions by the {@code bytes} that a read has brought, and copies those that are in the room. */
    void read(ByteBuffer[] targets, int offset, int length, long bytes) {
        long left = bytes;
        int element = 0;
        int from = 0;
        for (int i = offset; i < offset + length && left > 0; i++) {
            ByteBuffer target = targets[i];
            if (!target.hasRemaining()) {
                continue;
            }
            int part = (int) Math.min(left, target.remaining());
            if (onHeap[element]) {
                part = Math.min(part, ROOM - from);
                target.put(target.position(), room, from, part);
                from += part;
            }
            target.position(target.position() + part);
            left -= part;
            element++;
        }
    }
}
