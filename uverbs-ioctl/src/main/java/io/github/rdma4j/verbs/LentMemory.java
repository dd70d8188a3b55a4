// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.memory.MappedMemory;
import io.github.rdma4j.kernel.memory.NativeMemory;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Memory that a device has been given access to, and what keeps it from being freed meanwhile. */
final class LentMemory {
    private final Object owner;
    private final long address;
    private final long length;

    private LentMemory(Object owner, long address, long length) {
        this.owner = owner;
        this.address = address;
        this.length = length;
    }

    /** The bytes from position to limit. */
    static LentMemory of(ByteBuffer buffer) {
        ByteBuffer bytes = buffer.slice();
        return new LentMemory(bytes, NativeMemory.address(bytes), requireSome(bytes.remaining()));
    }

    /** All bytes from index 0 to the capacity; holds a reference count until {@link #giveBack}. */
    static LentMemory of(ByteBuf buffer) {
        requireSome(buffer.capacity());
        if (!buffer.isDirect() || buffer.nioBufferCount() != 1) {
            throw new IllegalArgumentException(
                    "a memory region needs one direct piece of memory; this is " + buffer + ": take a directBuffer()");
        }
        buffer.retain();
        ByteBuffer bytes = buffer.nioBuffer(0, buffer.capacity());
        return new LentMemory(buffer, NativeMemory.address(bytes), bytes.remaining());
    }

    static LentMemory of(MappedMemory memory) {
        return new LentMemory(memory, MappedMemory.addressOf(memory), memory.length());
    }

    private static long requireSome(long length) {
        if (length == 0) {
            throw new IllegalArgumentException("a memory region of 0 bytes");
        }
        return length;
    }

    long address() {
        return address;
    }

    long length() {
        return length;
    }

    /** The device has no access any more. */
    void giveBack() {
        if (owner instanceof ByteBuf buffer) {
            buffer.release();
        }
    }
}
