// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.RegionMemory;
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
 * Methods that register the memory of Netty buffers, and that add buffers of a {@link RegisteredByteBufAllocator},
 * which need no registration, to work requests. Works with Netty 4.1 and 4.2.
 *
 * <pre>{@code
 * ByteBuf buffer = channel.alloc().directBuffer(4096, 4096);
 * MemoryRegion region = NettyMemory.registerMr(pd, buffer, EnumSet.of(Access.LOCAL_WRITE));
 * }</pre>
 */
public final class NettyMemory {
    private NettyMemory() {}

    /**
     * Registers the whole capacity of a direct ByteBuf. Offsets in the region are the buffer's indexes. The region
     * retains the buffer until the region is closed, so the owner may release the buffer earlier.
     *
     * <p>The buffer must not be able to grow: Netty moves a growing buffer and frees its old memory regardless of the
     * reference count. Create the buffer with its capacity as its maximum, by {@code alloc.directBuffer(n, n)}, pooled
     * or not, or {@code Unpooled.directBuffer(n, n)}. Slices and duplicates can be registered if the underlying buffer
     * cannot grow.
     *
     * <p>{@link ByteBuf#capacity(int)} moves a buffer even to shrink it. Do not call it on a registered buffer, and
     * never release the buffer more often than you retained it. Posting a work request that uses a moved or freed
     * buffer throws IllegalStateException, but a peer that knows the remote key can still access the old memory. To
     * rule this out, use {@code Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(n))}: its memory lives as long as the
     * region.
     *
     * @throws IllegalArgumentException if the buffer can grow, is on the heap, empty or composite, or if it is
     *     read-only and {@code access} allows writing
     * @throws io.netty.util.IllegalReferenceCountException if the buffer has been released
     * @throws ErrnoException ENOMEM if more memory would be pinned than {@code RLIMIT_MEMLOCK} allows
     */
    public static MemoryRegion registerMr(ProtectionDomain pd, ByteBuf buffer, Set<Access> access)
            throws RdmaException {
        Checks.access(access, buffer.isReadOnly());
        ByteBuf root = root(buffer);
        requireStableAddress(buffer, root);
        return InnerVerbs.door().register(pd, lend(buffer, root), access);
    }

    /**
     * Adds the readable bytes of a buffer of a {@link RegisteredByteBufAllocator} to {@code request}. For an RDMA read,
     * which overwrites the buffer, use {@link #add(SendWorkRequest, ByteBuf, int, int)} instead.
     *
     * @throws IllegalArgumentException as for {@link #add(SendWorkRequest, ByteBuf, int, int)}
     */
    public static SendWorkRequest add(SendWorkRequest request, ByteBuf buffer) {
        return add(request, buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    /**
     * Adds {@code length} bytes at {@code index} of a buffer of a {@link RegisteredByteBufAllocator}, or of a slice or
     * duplicate of one, as one scatter-gather entry; of a composite buffer of such buffers, one entry per component.
     * Replaces inline data of the request. The request stores the address of the bytes, not their indexes.
     *
     * <p>If the request is posted through an {@link AsyncQueuePair}, the buffer is retained from the post until the
     * handler of the completion returns, so the program may release it right after the post. A post that fails retains
     * nothing. If the request is posted through {@link QueuePair#postSend(SendWorkRequest)}, the program must not
     * release the buffer before the completion. Posting a buffer that was released or moved throws
     * IllegalStateException.
     *
     * @throws IllegalArgumentException if the memory does not belong to a RegisteredByteBufAllocator, or {@code buffer}
     *     is a view of a composite buffer
     * @throws IllegalStateException if the request has too little room for the entries; nothing was added
     * @throws io.netty.util.IllegalReferenceCountException if the buffer has been released
     */
    public static SendWorkRequest add(SendWorkRequest request, ByteBuf buffer, int index, int length) {
        add(InnerVerbs.door().pieces(request), buffer, index, length, false);
        InnerVerbs.door().notInline(request);
        return request;
    }

    /**
     * Adds the writable bytes of a buffer, up to its capacity, to {@code request}. The completion reports the number of
     * received bytes; the buffer's indexes do not change.
     *
     * @throws IllegalArgumentException if the buffer or a component of it is read-only, and as for {@link
     *     #add(SendWorkRequest, ByteBuf, int, int)}
     */
    public static ReceiveWorkRequest add(ReceiveWorkRequest request, ByteBuf buffer) {
        return add(request, buffer, buffer.writerIndex(), buffer.writableBytes());
    }

    /**
     * Adds {@code length} bytes at {@code index} of a buffer to {@code request}, in the same way as {@link
     * #add(SendWorkRequest, ByteBuf, int, int)}.
     *
     * @throws IllegalArgumentException if the buffer or a component of it is read-only, and as for {@link
     *     #add(SendWorkRequest, ByteBuf, int, int)}
     */
    public static ReceiveWorkRequest add(ReceiveWorkRequest request, ByteBuf buffer, int index, int length) {
        add(InnerVerbs.door().pieces(request), buffer, index, length, true);
        return request;
    }

    /**
     * Returns true if the buffer, or the buffer behind a slice or duplicate, belongs to a {@link
     * RegisteredByteBufAllocator} of {@code pd}, so that queue pairs of this domain can use it without registration.
     * Returns false for composite buffers, and when the memory was deregistered because the domain or the device was
     * closed.
     */
    public static boolean isRegistered(ByteBuf buffer, ProtectionDomain pd) {
        return root(buffer) instanceof RegisteredByteBuf registered && registered.isIn(pd);
    }

    /**
     * Returns the remote key of the chunk that contains the buffer. A peer that knows the key can access the buffer,
     * which starts at {@link ByteBuf#memoryAddress()}, and all other bytes of the chunk.
     *
     * @throws IllegalArgumentException if the buffer does not belong to a {@link RegisteredByteBufAllocator}
     */
    public static int rkey(ByteBuf buffer) {
        return registered(buffer).region().rkey();
    }

    /** Adds entries to {@code pieces}; {@code written} is true if the device writes to the buffer. */
    private static void add(CountedPieces pieces, ByteBuf buffer, int index, int length, boolean written) {
        requireWritable(buffer, written);
        if (index < 0 || length < 0 || index > buffer.capacity() - length) {
            throw new IndexOutOfBoundsException(length + " bytes at index " + index + " exceed " + buffer);
        }
        if (!(buffer instanceof CompositeByteBuf composite)) {
            add(pieces, buffer, index, length, buffer);
            return;
        }
        List<ByteBuf> parts = composite.decompose(index, length);
        if (parts.size() > pieces.room()) {
            throw new IllegalStateException("the work request has room for " + pieces.room()
                    + " more entries, but the buffer has " + parts.size() + " components: use a larger request");
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
            throw new IllegalArgumentException("cannot receive into a read-only buffer: " + buffer);
        }
    }

    private static RegisteredByteBuf registered(ByteBuf buffer) {
        if (root(buffer) instanceof RegisteredByteBuf registered) {
            return registered;
        }
        throw new IllegalArgumentException(
                "not memory of a RegisteredByteBufAllocator: allocate the buffer there, register it with"
                        + " NettyMemory.registerMr, or, if this is a view of a composite buffer, add the composite"
                        + " buffer: " + buffer);
    }

    /** Returns the buffer that owns the memory behind slices, duplicates, read-only views and leak detectors. */
    private static ByteBuf root(ByteBuf buffer) {
        ByteBuf root = buffer;
        for (ByteBuf behind = root.unwrap(); behind != null; behind = root.unwrap()) {
            root = behind;
        }
        return root;
    }

    private static void requireStableAddress(ByteBuf buffer, ByteBuf root) {
        if (root instanceof CompositeByteBuf || !root.isDirect() || root.nioBufferCount() != 1) {
            throw new IllegalArgumentException("a memory region needs contiguous direct memory; this is " + buffer
                    + ": use alloc.directBuffer(n, n), or register the components of a composite buffer");
        }
        if (root.maxCapacity() != root.capacity()) {
            throw new IllegalArgumentException("a buffer that can grow from " + root.capacity() + " to "
                    + root.maxCapacity() + " bytes would move while the device uses it: create it with its capacity as"
                    + " its maximum, alloc.directBuffer(n, n) or Unpooled.directBuffer(n, n); this is " + buffer);
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

    /**
     * The references that a memory region holds on a ByteBuf: one on the given buffer, which may be counted separately or
     * have a leak detector that must see the last release, and one on the root that owns the memory, because some views are
     * not counted.
     */
    private static final class NettyOwner implements RegionMemory.Owner {
        private final ByteBuf buffer;
        private final boolean isView;
        private final ByteBuf root;
        private final int capacity;
        private final boolean hasAddress;
        private final long address;

        /** Retains both buffers; fails if one of them has been released. */
        NettyOwner(ByteBuf buffer, ByteBuf root) {
            this.buffer = buffer.retain();
            isView = buffer.unwrap() != null;
            try {
                this.root = isView ? root.retain() : root;
            } catch (RuntimeException e) {
                buffer.release();
                throw e;
            }
            capacity = root.capacity();
            hasAddress = root.hasMemoryAddress();
            address = hasAddress ? root.memoryAddress() : 0;
        }

        @Override
        public void ensureInPlace() {
            if (root.refCnt() <= 0) {
                throw new IllegalStateException("the registered buffer was released too often: " + buffer);
            }
            if (root.capacity() != capacity || (hasAddress && root.memoryAddress() != address)) {
                throw new IllegalStateException(
                        "the registered buffer was moved by capacity(int), but the device would still"
                                + " use its old memory; close the region: " + buffer);
            }
        }

        @Override
        public void release() {
            try {
                if (isView) {
                    root.release();
                }
            } finally {
                buffer.release();
            }
        }
    }
}
