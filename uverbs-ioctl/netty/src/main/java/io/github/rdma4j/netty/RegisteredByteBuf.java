// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.verbs.CountedMemory;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.concurrent.atomic.AtomicInteger;

/** A buffer in a block of a {@link RegisteredPool}. It grows within its block, then moves to a larger block. */
final class RegisteredByteBuf extends AbstractReferenceCountedByteBuf implements CountedMemory {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final RegisteredByteBufAllocator alloc;

    /** The number of entries in the block that belong to work requests in flight. */
    private final AtomicInteger posted = new AtomicInteger();

    private RegisteredChunk.Block block;
    private ByteBuffer memory;
    private int capacity;
    private int moves;

    RegisteredByteBuf(RegisteredByteBufAllocator alloc, int initialCapacity, int maxCapacity) {
        super(maxCapacity);
        this.alloc = alloc;
        block = alloc.take(initialCapacity);
        memory = block.memory().order(ByteOrder.BIG_ENDIAN);
        capacity = initialCapacity;
    }

    MemoryRegion region() {
        ensureAccessible();
        return block.region();
    }

    /** True if queue pairs of {@code pd} can use the buffer. */
    boolean isIn(ProtectionDomain pd) {
        return alloc.pool().isOf(pd) && !region().isClosed();
    }

    // ---- for work requests

    @Override
    public int moves() {
        return moves;
    }

    @Override
    public void ensureInPlace(int movesBefore, long address, int length) {
        if (refCnt() <= 0) {
            throw new IllegalStateException("the buffer of a work request was released before it was posted: " + this);
        }
        long offset = address - block.address();
        if (movesBefore != moves || offset < 0 || offset > capacity - length) {
            throw new IllegalStateException(
                    "the buffer of a work request was moved or shrunk by capacity(int): add it again: " + this);
        }
    }

    /**
     * Retains the view, which may be composite or have a leak detector, and this buffer, because some views are not
     * counted.
     */
    @Override
    public void hold(Object view) {
        ((ByteBuf) view).retain();
        if (view != this) {
            try {
                retain();
            } catch (RuntimeException e) {
                ((ByteBuf) view).release();
                throw e;
            }
        }
        posted.incrementAndGet();
    }

    @Override
    public void releaseHold(Object view) {
        posted.decrementAndGet();
        try {
            if (view != this) {
                release();
            }
        } finally {
            ((ByteBuf) view).release();
        }
    }

    // ---- memory

    @Override
    public ByteBuf capacity(int newCapacity) {
        checkNewCapacity(newCapacity);
        if (newCapacity > memory.capacity()) {
            move(newCapacity);
        } else if (newCapacity < capacity) {
            trimIndicesToCapacity(newCapacity);
        }
        capacity = newCapacity;
        return this;
    }

    private void move(int newCapacity) {
        if (posted.get() > 0) {
            throw new IllegalStateException("a buffer used by a work request in flight cannot grow from " + capacity
                    + " to " + newCapacity + " bytes: wait for the completion, or allocate it large enough");
        }
        RegisteredChunk.Block larger = alloc.take(newCapacity);
        larger.memory().put(0, memory, 0, capacity);
        RegisteredChunk.Block old = block;
        block = larger;
        moves++;
        memory = larger.memory().order(ByteOrder.BIG_ENDIAN);
        alloc.pool().give(old);
    }

    @Override
    protected void deallocate() {
        memory = NOTHING;
        alloc.pool().give(block);
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public ByteBufAllocator alloc() {
        return alloc;
    }

    @Override
    @SuppressWarnings("deprecation") // still abstract
    public ByteOrder order() {
        return ByteOrder.BIG_ENDIAN;
    }

    @Override
    @SuppressWarnings("NullAway") // Netty expects null if there is no underlying buffer
    public ByteBuf unwrap() {
        return null;
    }

    @Override
    public boolean isDirect() {
        return true;
    }

    @Override
    public boolean hasArray() {
        return false;
    }

    @Override
    public byte[] array() {
        throw new UnsupportedOperationException("direct buffer");
    }

    @Override
    public int arrayOffset() {
        throw new UnsupportedOperationException("direct buffer");
    }

    @Override
    public boolean hasMemoryAddress() {
        return true;
    }

    @Override
    public long memoryAddress() {
        ensureAccessible();
        return block.address();
    }

    @Override
    public int nioBufferCount() {
        return 1;
    }

    @Override
    public ByteBuffer nioBuffer(int index, int length) {
        checkIndex(index, length);
        return memory.slice(index, length);
    }

    @Override
    public ByteBuffer internalNioBuffer(int index, int length) {
        return nioBuffer(index, length);
    }

    @Override
    public ByteBuffer[] nioBuffers(int index, int length) {
        return new ByteBuffer[] {nioBuffer(index, length)};
    }

    @Override
    public ByteBuf copy(int index, int length) {
        checkIndex(index, length);
        return alloc.directBuffer(length, maxCapacity()).writeBytes(this, index, length);
    }

    // ---- numbers

    @Override
    protected byte _getByte(int index) {
        return memory.get(index);
    }

    @Override
    protected short _getShort(int index) {
        return memory.getShort(index);
    }

    @Override
    protected short _getShortLE(int index) {
        return Short.reverseBytes(memory.getShort(index));
    }

    @Override
    protected int _getUnsignedMedium(int index) {
        return ((memory.get(index) & 0xff) << 16) | (memory.getShort(index + 1) & 0xffff);
    }

    @Override
    protected int _getUnsignedMediumLE(int index) {
        return Integer.reverseBytes(_getUnsignedMedium(index)) >>> 8;
    }

    @Override
    protected int _getInt(int index) {
        return memory.getInt(index);
    }

    @Override
    protected int _getIntLE(int index) {
        return Integer.reverseBytes(memory.getInt(index));
    }

    @Override
    protected long _getLong(int index) {
        return memory.getLong(index);
    }

    @Override
    protected long _getLongLE(int index) {
        return Long.reverseBytes(memory.getLong(index));
    }

    @Override
    protected void _setByte(int index, int value) {
        memory.put(index, (byte) value);
    }

    @Override
    protected void _setShort(int index, int value) {
        memory.putShort(index, (short) value);
    }

    @Override
    protected void _setShortLE(int index, int value) {
        memory.putShort(index, Short.reverseBytes((short) value));
    }

    @Override
    protected void _setMedium(int index, int value) {
        memory.put(index, (byte) (value >>> 16));
        memory.putShort(index + 1, (short) value);
    }

    @Override
    protected void _setMediumLE(int index, int value) {
        _setMedium(index, Integer.reverseBytes(value) >>> 8);
    }

    @Override
    protected void _setInt(int index, int value) {
        memory.putInt(index, value);
    }

    @Override
    protected void _setIntLE(int index, int value) {
        memory.putInt(index, Integer.reverseBytes(value));
    }

    @Override
    protected void _setLong(int index, long value) {
        memory.putLong(index, value);
    }

    @Override
    protected void _setLongLE(int index, long value) {
        memory.putLong(index, Long.reverseBytes(value));
    }

    // ---- byte ranges

    @Override
    public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
        checkDstIndex(index, length, dstIndex, dst.capacity());
        dst.setBytes(dstIndex, nioBuffer(index, length));
        return this;
    }

    @Override
    public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
        checkDstIndex(index, length, dstIndex, dst.length);
        memory.get(index, dst, dstIndex, length);
        return this;
    }

    @Override
    public ByteBuf getBytes(int index, ByteBuffer dst) {
        int length = dst.remaining();
        checkIndex(index, length);
        dst.put(dst.position(), memory, index, length).position(dst.limit());
        return this;
    }

    @Override
    public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
        byte[] bytes = new byte[length];
        getBytes(index, bytes, 0, length);
        out.write(bytes);
        return this;
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        return out.write(nioBuffer(index, length));
    }

    @Override
    public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
        return out.write(nioBuffer(index, length), position);
    }

    @Override
    public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
        checkSrcIndex(index, length, srcIndex, src.capacity());
        src.getBytes(srcIndex, nioBuffer(index, length));
        return this;
    }

    @Override
    public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
        checkSrcIndex(index, length, srcIndex, src.length);
        memory.put(index, src, srcIndex, length);
        return this;
    }

    @Override
    public ByteBuf setBytes(int index, ByteBuffer src) {
        nioBuffer(index, src.remaining()).put(src);
        return this;
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        ByteBuffer into = nioBuffer(index, length);
        return length == 0 ? 0 : Channels.newChannel(in).read(into);
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        try {
            return in.read(nioBuffer(index, length));
        } catch (ClosedChannelException ended) {
            return -1;
        }
    }

    @Override
    public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
        try {
            return in.read(nioBuffer(index, length), position);
        } catch (ClosedChannelException ended) {
            return -1;
        }
    }
}
