// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import com.kenai.jffi.MemoryIO;
import io.github.rdma4j.internal.libc.OwnThread;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Converts between direct buffers and addresses. */
public final class NativeMemory {
    /**
     * A method reference, because a lambda would be a method of this class, which the other thread cannot enter before
     * this class is initialized.
     */
    private static final MemoryIO MEMORY = OwnThread.call(MemoryIO::getInstance);

    private NativeMemory() {}

    /** The address of byte 0 (not of the position) of a direct buffer. Valid while the buffer is reachable. */
    public static long address(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("the kernel needs a direct buffer; this buffer is on the heap");
        }
        return MEMORY.getDirectBufferAddress(direct);
    }

    /**
     * A view in native byte order of memory that the caller keeps alive.
     *
     * <p>Only for memory that lives as long as the returned buffer, or within a single call.
     */
    public static ByteBuffer view(long address, int length) {
        return MEMORY.newDirectByteBuffer(address, length).order(ByteOrder.nativeOrder());
    }

    /** Copies bytes between addresses; the caller keeps both ranges alive. Allocates nothing. */
    public static void copy(long from, long to, long bytes) {
        MEMORY.copyMemory(from, to, bytes);
    }
}
