// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import com.kenai.jffi.MemoryIO;
import io.github.rdma4j.internal.libc.OwnThread;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** From a direct buffer to its address and back. */
public final class NativeMemory {
    /** A method reference: a lambda would be a method of this class, which the other thread could not enter yet. */
    private static final MemoryIO MEMORY = OwnThread.call(MemoryIO::getInstance);

    private NativeMemory() {}

    /**
     * The address of byte 0 (not of the position) of a direct buffer. It is good for as long as the buffer is
     * reachable.
     */
    public static long address(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("the kernel can only reach a direct buffer; this one is on the heap");
        }
        return MEMORY.getDirectBufferAddress(direct);
    }

    /**
     * A view in native byte order of memory that the caller keeps alive.
     *
     * <p>Only for memory whose end of life is tied to the returned buffer, or inside a single call.
     */
    public static ByteBuffer view(long address, int length) {
        return MEMORY.newDirectByteBuffer(address, length).order(ByteOrder.nativeOrder());
    }

    /** Copies bytes from one address to another; both ranges are memory that the caller keeps alive. Allocates nothing. */
    public static void copy(long from, long to, long bytes) {
        MEMORY.copyMemory(from, to, bytes);
    }
}
