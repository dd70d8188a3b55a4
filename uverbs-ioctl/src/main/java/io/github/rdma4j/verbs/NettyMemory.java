// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Registers memory of Netty. Programs that use this class have {@code netty-buffer} on the class path, 4.1 or 4.2; all
 * others do without.
 *
 * <pre>{@code
 * ByteBuf buffer = channel.alloc().directBuffer(4096, 4096);
 * MemoryRegion region = NettyMemory.registerMr(pd, buffer, EnumSet.of(Access.LOCAL_WRITE));
 * }</pre>
 */
public final class NettyMemory {
    private NettyMemory() {}

    /**
     * Registers the whole capacity of a direct ByteBuf; offsets in the region are the buffer's indexes. The region holds
     * the buffer's reference count until it is closed, so that the owner may release the buffer before.
     *
     * <p>The buffer must not be able to grow, for Netty moves a buffer that grows and frees the old memory whatever the
     * reference count. So make it with its capacity as its limit: {@code alloc.directBuffer(n, n)}, pooled or not, or
     * {@code Unpooled.directBuffer(n, n)}. Slices and duplicates can be registered when the buffer behind them cannot grow.
     *
     * <p>{@link ByteBuf#capacity(int)} moves a buffer even to make it smaller: do not call it on a buffer that is
     * registered, and do not release the buffer more often than it is yours to. Posting a work request over a buffer that
     * was moved or freed throws IllegalStateException, but nothing keeps the peer from what it has been told of. Where that
     * cannot be ruled out take {@code Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(n))}: its memory lives as long as
     * the region, whatever is done to the buffer.
     *
     * @throws IllegalArgumentException when the buffer can grow, is on the heap, empty, composite, or read-only and to be
     *     written
     * @throws io.netty.util.IllegalReferenceCountException when the buffer has been released
     * @throws ErrnoException ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows
     */
    public static MemoryRegion registerMr(ProtectionDomain pd, ByteBuf buffer, Set<Access> access)
            throws RdmaException {
        ProtectionDomain.check(access, buffer.isReadOnly());
        ByteBuf root = root(buffer);
        refuseWhatMoves(buffer, root);
        return pd.register(lend(buffer, root), access);
    }

    /** The buffer that has the memory, behind slices, duplicates, read-only views and leak detectors. */
    private static ByteBuf root(ByteBuf buffer) {
        ByteBuf root = buffer;
        for (ByteBuf behind = root.unwrap(); behind != null; behind = root.unwrap()) {
            root = behind;
        }
        return root;
    }

    private static void refuseWhatMoves(ByteBuf buffer, ByteBuf root) {
        if (root instanceof CompositeByteBuf || !root.isDirect() || root.nioBufferCount() != 1) {
            throw new IllegalArgumentException("a memory region needs one direct piece of memory; this is " + buffer
                    + ": take alloc.directBuffer(n, n), or register the components of a composite buffer");
        }
        if (root.maxCapacity() != root.capacity()) {
            throw new IllegalArgumentException("a buffer that can grow from " + root.capacity() + " to "
                    + root.maxCapacity() + " bytes would move away from under the device: make it with its capacity as"
                    + " its limit, alloc.directBuffer(n, n) or Unpooled.directBuffer(n, n); this is " + buffer);
        }
    }

    private static LentMemory lend(ByteBuf buffer, ByteBuf root) throws RdmaException {
        NettyOwner owner = new NettyOwner(buffer, root);
        return Undo.onFailure(
                () -> {
                    ByteBuffer bytes = buffer.nioBuffer(0, buffer.capacity());
                    return LentMemory.of(bytes, owner);
                },
                owner::giveBack);
    }
}
