// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Memory for one message, which an {@link Outlet} lends. For one thread at a time. */
public final class MessageBuffer {
    private final ByteBuf memory;

    /** The bytes again: a copy to them allocates nothing. */
    private final ByteBuffer view;

    /** How many bytes of those that may wait the message counts for. */
    int counted;

    /** Takes over {@code memory}. */
    public MessageBuffer(ByteBuf memory) {
        this.memory = memory;
        view = memory.nioBuffer(0, memory.capacity());
    }

    /** The memory. */
    public ByteBuf memory() {
        return memory;
    }

    int capacity() {
        return view.capacity();
    }

    /** The first {@code length} bytes. The view is the same each time. */
    public ByteBuffer bytes(int length) {
        return view.limit(length).position(0);
    }

    void copy(int at, ByteBuf from, int index, int length) {
        from.getBytes(index, view.limit(at + length).position(at));
    }

    /** Releases the memory. */
    public void release() {
        memory.release();
    }
}
