// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.RegionMemory;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * Registers memory of Netty, and adds buffers of a {@link RegisteredByteBufAllocator}, which need no registration, to work
 * requests. Runs with Netty 4.1 and 4.2.
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
        Checks.access(access, buffer.isReadOnly());
        ByteBuf root = root(buffer);
        requireStableAddress(buffer, root);
        return InnerVerbs.door().register(pd, lend(buffer, root), access);
    }

    /**
     * Adds the readable bytes of a buffer of a {@link RegisteredByteBufAllocator} to what {@code request} sends. For an RDMA
     * read name the bytes that are to be overwritten: {@link #add(SendWorkRequest, ByteBuf, int, int)}.
     *
     * @throws IllegalArgumentException as {@link #add(SendWorkRequest, ByteBuf, int, int)} does
     */
    public static SendWorkRequest add(SendWorkRequest request, ByteBuf buffer) {
        return add(request, buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    /**
     * Adds {@code length} bytes at {@code index} of a buffer of a {@link RegisteredByteBufAllocator}, of a slice or of a
     * duplicate, as one piece; of a composite buffer of such buffers, one piece for each component. The request takes the
     * place of inline data and keeps the address, not the indexes, of the bytes.
     *
     * <p>When the request is posted through a {@link AsyncQueuePair}, the buffer is held from the post until the handler of
     * the completion has returned: the program may release its own count right after the post. A post that fails holds nothing.
     * When the request is posted through {@link QueuePair#postSend(SendWorkRequest)}, nobody holds the buffer but the program,
     * which must not release the buffer before the completion. A buffer that was released or moved is not posted.
     *
     * @throws IllegalArgumentException when the memory is not a RegisteredByteBufAllocator's, or {@code buffer} is a view of a
     *     composite buffer
     * @throws IllegalStateException when the request has no room for the pieces; nothing was added
     * @throws io.netty.util.IllegalReferenceCountException when the buffer has been released
     */
    public static SendWorkRequest add(SendWorkRequest request, ByteBuf buffer, int index, int length) {
        add(InnerVerbs.door().pieces(request), buffer, index, length, false);
        InnerVerbs.door().notInline(request);
        return request;
    }

    /**
     * Adds the writable bytes of a buffer, up to its capacity, to what {@code request} receives into. The completion says how
     * many bytes have come; the indexes of the buffer do not change.
     *
     * @throws IllegalArgumentException when the buffer or a component of it is read-only, and as {@link #add(SendWorkRequest, ByteBuf,
     *     int, int)} does
     */
    public static ReceiveWorkRequest add(ReceiveWorkRequest request, ByteBuf buffer) {
        return add(request, buffer, buffer.writerIndex(), buffer.writableBytes());
    }

    /**
     * Adds {@code length} bytes at {@code index} to what {@code request} receives into; otherwise as {@link
     * #add(SendWorkRequest, ByteBuf, int, int)}.
     *
     * @throws IllegalArgumentException when the buffer or a component of it is read-only, and as {@link #add(SendWorkRequest, ByteBuf,
     *     int, int)} does
     */
    public static ReceiveWorkRequest add(ReceiveWorkRequest request, ByteBuf buffer, int index, int length) {
        add(InnerVerbs.door().pieces(request), buffer, index, length, true);
        return request;
    }

    /**
     * The remote key of the chunk in which the buffer lies. A peer that knows the key reaches the bytes from {@link
     * ByteBuf#memoryAddress()} on, and all other bytes of the chunk.
     *
     * @throws IllegalArgumentException when the buffer is not a {@link RegisteredByteBufAllocator}'s
     */
    public static int rkey(ByteBuf buffer) {
        return registered(buffer).region().rkey();
    }

    /** {@code written} when the device is to write to the buffer. */
    private static void add(CountedPieces pieces, ByteBuf buffer, int index, int length, boolean written) {
        requireWritable(buffer, written);
        if (index < 0 || length < 0 || index > buffer.capacity() - length) {
            throw new IndexOutOfBoundsException(length + " bytes at " + index + " are outside " + buffer);
        }
        if (!(buffer instanceof CompositeByteBuf composite)) {
            add(pieces, buffer, index, length, buffer);
            return;
        }
        List<ByteBuf> parts = composite.decompose(index, length);
        if (parts.size() > pieces.room()) {
            throw new IllegalStateException("the work request has room for " + pieces.room()
                    + " more pieces of memory, and " + parts.size() + " components are to be added: make it larger");
        }
        for (ByteBuf part : parts) {
            registered(part);
            requireWritable(part, written);
        }
        for (ByteBuf part : parts) {
            add(pieces, part, part.readerIndex(), part.readableBytes(), composite);
        }
    }

    private static void add(CountedPieces pieces, ByteBuf part, int index, int length, ByteBuf view) {
        RegisteredByteBuf root = registered(part);
        MemoryRegion region = root.region();
        pieces.add(region, part.memoryAddress() + index - region.iova(), length, root, view);
    }

    private static void requireWritable(ByteBuf buffer, boolean written) {
        if (written && buffer.isReadOnly()) {
            throw new IllegalArgumentException("a receive into a read-only buffer: " + buffer);
        }
    }

    private static RegisteredByteBuf registered(ByteBuf buffer) {
        if (root(buffer) instanceof RegisteredByteBuf registered) {
            return registered;
        }
        throw new IllegalArgumentException(
                "memory that is not a RegisteredByteBufAllocator's: allocate the buffer there, register it with"
                        + " NettyMemory.registerMr, or, when this is a view of a composite buffer, add the composite"
                        + " buffer: " + buffer);
    }

    /** The buffer that has the memory, behind slices, duplicates, read-only views and leak detectors. */
    private static ByteBuf root(ByteBuf buffer) {
        ByteBuf root = buffer;
        for (ByteBuf behind = root.unwrap(); behind != null; behind = root.unwrap()) {
            root = behind;
        }
        return root;
    }

    private static void requireStableAddress(ByteBuf buffer, ByteBuf root) {
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

    private static RegionMemory lend(ByteBuf buffer, ByteBuf root) throws RdmaException {
        NettyOwner owner = new NettyOwner(buffer, root);
        return Undo.onFailure(
                () -> {
                    ByteBuffer bytes = buffer.nioBuffer(0, buffer.capacity());
                    return RegionMemory.of(bytes, owner);
                },
                owner::release);
    }
}
