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
 * An allocator of Netty whose direct buffers lie in memory regions of a protection domain, so that each of them can be posted
 * without a registration and without a copy: see {@link NettyMemory#add(SendWorkRequest, ByteBuf)}. Programs that use this
 * class have {@code netty-buffer} on the class path, 4.1 or 4.2.
 *
 * <p>The allocator registers a chunk of memory when no other chunk has room, and divides it by halves: a buffer takes the next
 * power of two, 256 bytes or more. A buffer that is larger than a chunk gets a chunk of its own, which is deregistered when the
 * buffer is released. Of the other chunks that become free the allocator keeps one. Heap buffers are not pooled. Safe for use
 * by several threads.
 *
 * <p>All buffers of a chunk have the chunk's keys. A peer that is given a remote key can therefore use the whole chunk: grant
 * remote rights only to allocators whose buffers are all meant for the peers.
 *
 * <p>The allocator closes when the kernel begins to remove the device, so that it does not keep the device from going: see {@link
 * DeviceContext#closeWhenRemoved}.
 *
 * <p>Buffers that are out when the allocator is closed stay valid; the last that is released deregisters its chunk. Closing the
 * protection domain deregisters all chunks: their memory stays until the buffers are released, and cannot be posted.
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
    /** The size of a chunk when none is given: 4 MiB. */
    public static final int DEFAULT_CHUNK_BYTES = 4 << 20;

    private static final int LEAST_CHUNK_BYTES = 1 << 12;
    private static final int MOST_BYTES = 1 << 30;

    private final RegisteredPool pool;

    private RegisteredByteBufAllocator(RegisteredPool pool) {
        super(true);
        this.pool = pool;
    }

    /**
     * An allocator with chunks of {@link #DEFAULT_CHUNK_BYTES} and no limit but the system's. Registers nothing yet.
     *
     * @param access the rights of all buffers; with {@link Access#LOCAL_WRITE} messages can be received into them
     * @throws IllegalArgumentException when the rights contradict each other
     */
    public static RegisteredByteBufAllocator open(ProtectionDomain pd, Set<Access> access) {
        return open(pd, access, DEFAULT_CHUNK_BYTES, Long.MAX_VALUE);
    }

    /**
     * An allocator. Registers nothing yet.
     *
     * @param access the rights of all buffers; with {@link Access#LOCAL_WRITE} messages can be received into them
     * @param chunkBytes the size of a chunk, a power of two from 4 KiB to 1 GiB
     * @param limitBytes how many bytes may be registered at a time
     * @throws IllegalArgumentException when the rights contradict each other, or a size is out of its range
     */
    public static RegisteredByteBufAllocator open(
            ProtectionDomain pd, Set<Access> access, int chunkBytes, long limitBytes) {
        Objects.requireNonNull(pd, "pd");
        Checks.access(access, false);
        if (chunkBytes < LEAST_CHUNK_BYTES || chunkBytes > MOST_BYTES || Integer.bitCount(chunkBytes) != 1) {
            throw new IllegalArgumentException(
                    "chunks of " + chunkBytes + " bytes; it must be a power of two from 4 KiB to 1 GiB");
        }
        if (limitBytes < chunkBytes) {
            throw new IllegalArgumentException(
                    "a limit of " + limitBytes + " bytes; it must be at least that of a chunk, " + chunkBytes);
        }
        return new RegisteredByteBufAllocator(new RegisteredPool(pd, access, chunkBytes, limitBytes));
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return toLeakAwareBuffer(new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity));
    }

    /**
     * A buffer in registered memory.
     *
     * @throws java.io.UncheckedIOException when the allocator's limit is reached, or the kernel cannot register a chunk: its
     *     cause is an ErrnoException with ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows
     * @throws IllegalStateException when the allocator or the protection domain is closed
     * @throws IllegalArgumentException for more than 1 GiB
     */
    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return toLeakAwareBuffer(new RegisteredByteBuf(this, initialCapacity, maxCapacity));
    }

    /** Memory for a buffer. */
    RegisteredChunk.Block take(int bytes) {
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes; it must have at most 1 GiB");
        }
        return pool.take(bytes);
    }

    void give(RegisteredChunk.Block block) {
        pool.give(block);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return true;
    }

    /** The bytes of all chunks as direct memory; heap memory is not counted. */
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

    /** Deregisters the chunks that are free now, and each of the others when its last buffer is released. Idempotent. */
    @Override
    public void close() {
        pool.close();
    }

    @Override
    public String toString() {
        return pool + " (" + pool.registeredBytes() + " bytes)";
    }
}
