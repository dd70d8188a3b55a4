// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.Objects;
import java.util.Set;

/**
 * A Netty allocator whose direct buffers lie in memory regions of a protection domain, so that each buffer can be
 * posted without registration and without a copy: see {@link NettyMemory#add(SendWorkRequest, ByteBuf)}. Requires
 * {@code netty-buffer} 4.1 or 4.2 on the class path.
 *
 * <p>The allocator registers a chunk of memory when no chunk has room, and splits it by halving: a buffer takes the
 * next power of two, at least 256 bytes. A buffer larger than a chunk gets its own chunk, which is deregistered when
 * the buffer is released. When other chunks become free, the allocator keeps one of them and deregisters the rest. Heap
 * buffers are not pooled. Safe for use by several threads.
 *
 * <p>All buffers of a chunk share the keys of the chunk. A peer that knows the remote key can therefore access the
 * whole chunk: grant remote access only to an allocator whose buffers are all meant for peers.
 *
 * <p>The allocator closes when the kernel starts to remove the device, so that it does not delay the removal: see
 * {@link DeviceContext#closeWhenRemoved}.
 *
 * <p>Buffers that are in use when the allocator is closed stay valid; releasing the last buffer of a chunk deregisters
 * the chunk. Closing the protection domain deregisters all chunks: their memory stays mapped until the buffers are
 * released, but can no longer be posted.
 *
 * <pre>{@code
 * RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
 * ...
 * ByteBuf message = alloc.directBuffer(8).writeLong(42);
 * CompletableFuture<WorkCompletion> sent = qp.send(NettyMemory.add(new SendWorkRequest(1).send(), message));
 * message.release();
 * alloc.close(); // the memory goes when the last buffer is released
 * }</pre>
 */
public final class RegisteredByteBufAllocator extends AbstractByteBufAllocator
        implements ByteBufAllocatorMetricProvider, AutoCloseable {
    /** The default size of a chunk, 4 MiB. */
    public static final int DEFAULT_CHUNK_BYTES = 4 << 20;

    private static final int LEAST_CHUNK_BYTES = 1 << 12;
    private static final int MOST_BYTES = 1 << 30;

    private final RegisteredPool pool;

    private RegisteredByteBufAllocator(RegisteredPool pool) {
        super(true);
        this.pool = pool;
    }

    /**
     * Returns an allocator with chunks of {@link #DEFAULT_CHUNK_BYTES}, limited only by the system. Registers nothing
     * yet.
     *
     * @param access the access rights of all buffers; receiving messages requires {@link Access#LOCAL_WRITE}
     * @throws IllegalArgumentException if the access rights contradict each other
     */
    public static RegisteredByteBufAllocator open(ProtectionDomain pd, Set<Access> access) {
        return open(pd, access, DEFAULT_CHUNK_BYTES, Long.MAX_VALUE);
    }

    /**
     * Returns an allocator. Registers nothing yet.
     *
     * @param access the access rights of all buffers; receiving messages requires {@link Access#LOCAL_WRITE}
     * @param chunkBytes the size of a chunk, a power of two from 4 KiB to 1 GiB
     * @param limitBytes the maximum number of bytes registered at a time, {@code chunkBytes} or more
     * @throws IllegalArgumentException if the access rights contradict each other, or a size is out of range
     */
    public static RegisteredByteBufAllocator open(
            ProtectionDomain pd, Set<Access> access, int chunkBytes, long limitBytes) {
        Objects.requireNonNull(pd, "pd");
        Checks.access(access, false);
        if (chunkBytes < LEAST_CHUNK_BYTES || chunkBytes > MOST_BYTES || Integer.bitCount(chunkBytes) != 1) {
            throw new IllegalArgumentException(
                    "chunkBytes is " + chunkBytes + "; it must be a power of two from 4 KiB to 1 GiB");
        }
        if (limitBytes < chunkBytes) {
            throw new IllegalArgumentException(
                    "limitBytes is " + limitBytes + "; it must be at least chunkBytes, " + chunkBytes);
        }
        return new RegisteredByteBufAllocator(new RegisteredPool(pd, access, chunkBytes, limitBytes));
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return toLeakAwareBuffer(new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity));
    }

    /**
     * Allocates a buffer in registered memory.
     *
     * @throws java.io.UncheckedIOException if the limit of the allocator is reached, or the kernel fails to register a
     *     chunk. The cause is an ErrnoException with ENOMEM if more memory would be pinned than {@code RLIMIT_MEMLOCK}
     *     allows
     * @throws IllegalStateException if the allocator or the protection domain is closed
     * @throws IllegalArgumentException if the initial capacity exceeds 1 GiB
     */
    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return toLeakAwareBuffer(new RegisteredByteBuf(this, initialCapacity, maxCapacity));
    }

    /** Takes a block for a buffer of {@code bytes} bytes. */
    RegisteredChunk.Block take(int bytes) {
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes is too large; the limit is 1 GiB");
        }
        return pool.take(bytes);
    }

    RegisteredPool pool() {
        return pool;
    }

    @Override
    public boolean isDirectBufferPooled() {
        return true;
    }

    /** Returns a metric that reports the bytes of all chunks as direct memory; heap memory is not counted. */
    @Override
    public ByteBufAllocatorMetric metric() {
        return new ByteBufAllocatorMetric() {
            @Override
            public long usedHeapMemory() {
                return -1;
            }

            @Override
            public long usedDirectMemory() {
                return pool.registeredBytes();
            }
        };
    }

    /** Deregisters the free chunks now, and each other chunk when its last buffer is released. Idempotent. */
    @Override
    public void close() {
        pool.close();
    }

    @Override
    public String toString() {
        return pool + " (" + pool.registeredBytes() + " bytes)";
    }
}
