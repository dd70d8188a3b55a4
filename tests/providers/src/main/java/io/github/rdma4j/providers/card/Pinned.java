// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory of the process that the device reaches by DMA, read and written big-endian. The pages stay the device's when the
 * process maps something else at their address: {@link #detach} is what the kernel's pin does.
 */
public final class Pinned {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long address;
    private final int length;
    private ByteBuffer bytes;

    private Pinned(long address, int length, ByteBuffer bytes) {
        this.address = address;
        this.length = length;
        this.bytes = bytes;
    }

    /** Pins {@code length} bytes at {@code address}, which the process keeps mapped until {@link #detach}. */
    public static Pinned at(long address, int length) {
        return new Pinned(address, length, NativeMemory.view(address, length).order(ByteOrder.BIG_ENDIAN));
    }

    /** The address in the process when the memory was pinned. */
    public long address() {
        return address;
    }

    /** Bytes pinned. */
    public int length() {
        return length;
    }

    /** Whether {@code [start, start + size)} has an address of this memory. */
    public boolean overlaps(long start, long size) {
        return start < address + length && address < start + size;
    }

    /** The process is about to lose the addresses; the device keeps pages with the same content. */
    public void detach() {
        ByteBuffer own = ByteBuffer.allocateDirect(length + Long.BYTES).alignedSlice(Long.BYTES);
        own.put(0, bytes, 0, length);
        bytes = own.order(ByteOrder.BIG_ENDIAN);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    int getInt(int offset) {
        return bytes.getInt(offset);
    }

    /** Reads a word that the process publishes with a release store. */
    int getAcquire(int offset) {
        return (int) INT.getAcquire(bytes, offset);
    }

    /** Reads an eight-byte word that the process publishes with a release store. */
    long getLongAcquire(int offset) {
        return (long) LONG.getAcquire(bytes, offset);
    }

    /** Publishes a word together with all that was written before. */
    void setRelease(int offset, int value) {
        INT.setRelease(bytes, offset, value);
    }

    /** Takes an eight-byte word and leaves {@code replacement}. */
    long take(int offset, long replacement) {
        return (long) LONG.getAndSet(bytes, offset, replacement);
    }
}
