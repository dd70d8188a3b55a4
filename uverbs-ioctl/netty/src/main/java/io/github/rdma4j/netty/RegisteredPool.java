// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.RegisteredChunk.Block;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A pool of blocks of registered memory. Registers a chunk when no chunk has room, and deregisters it when all of its
 * blocks are free.
 */
final class RegisteredPool {
    private final ProtectionDomain pd;
    private final Set<Access> access;
    private final int chunkBytes;
    private final long limitBytes;

    /** The page size of the kernel, which pins and accounts whole pages. */
    private final int page;

    /** Held while a chunk is registered, which is slow. Other threads continue with the existing chunks. */
    private final ReentrantLock growth = new ReentrantLock();

    /** Guards the following fields. */
    private final ReentrantLock lock = new ReentrantLock();

    private final List<RegisteredChunk> chunks = new ArrayList<>();
    private long registered;
    private boolean closed;

    /** Called when the device is removed. */
    private final AutoCloseable end = this::close;

    RegisteredPool(ProtectionDomain pd, Set<Access> access, int chunkBytes, long limitBytes) {
        this.pd = pd;
        this.access = access.isEmpty() ? Set.of() : EnumSet.copyOf(access);
        this.chunkBytes = chunkBytes;
        this.limitBytes = limitBytes;
        this.page = InnerVerbs.door().pageSize(pd);
    }

    /**
     * Takes a block of {@code bytes} bytes or more.
     *
     * @throws UncheckedIOException if no memory is available
     * @throws IllegalStateException if the pool or the protection domain is closed
     */
    Block take(int bytes) {
        Block block = find(bytes);
        return block != null ? block : grow(bytes);
    }

    boolean isOf(ProtectionDomain domain) {
        return pd == domain;
    }

    private @Nullable Block find(int bytes) {
        lock.lock();
        try {
            requireOpen();
            Block found = null;
            for (int i = 0; i < chunks.size() && found == null && bytes <= chunkBytes; i++) {
                RegisteredChunk chunk = chunks.get(i);
                found = chunk.isSingle() || !chunk.isRegistered() ? null : chunk.take(bytes);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private Block grow(int bytes) {
        growth.lock();
        try {
            Block found = find(bytes);
            return found != null ? found : register(bytes);
        } catch (RdmaException e) {
            throw new UncheckedIOException("no memory for a buffer of " + bytes + " bytes: " + e.getMessage(), e);
        } finally {
            growth.unlock();
        }
    }

    private Block register(int bytes) throws RdmaException {
        boolean single = bytes > chunkBytes;
        int size = single ? (bytes + page - 1) / page * page : chunkBytes;
        pd.context().closeWhenRemoved(end);
        reserve(size);
        return Undo.onFailure(
                () -> {
                    RegisteredChunk chunk = RegisteredChunk.register(pd, access, size, single);
                    return Undo.onFailure(() -> enter(chunk, bytes), chunk::close);
                },
                () -> unreserve(size));
    }

    private void reserve(int bytes) throws RdmaException {
        lock.lock();
        try {
            if (bytes > limitBytes - registered) {
                throw new RdmaException(bytes + " bytes in addition to the " + registered
                        + " registered bytes would exceed the allocator's limit, " + limitBytes
                        + ": release buffers or raise the limit");
            }
            registered += bytes;
        } finally {
            lock.unlock();
        }
    }

    private void unreserve(int bytes) {
        lock.lock();
        try {
            registered -= bytes;
        } finally {
            lock.unlock();
        }
    }

    private Block enter(RegisteredChunk chunk, int bytes) {
        lock.lock();
        try {
            requireOpen();
            Block block = chunk.take(bytes);
            if (block == null) {
                throw new AssertionError("a new chunk of " + chunk.bytes() + " bytes has no room for " + bytes);
            }
            chunks.add(chunk);
            return block;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a block that neither the program nor the device uses. */
    void give(Block block) {
        RegisteredChunk chunk = block.chunk();
        boolean unused;
        lock.lock();
        try {
            chunk.give(block);
            unused = chunk.isFree() && !isSpare(chunk) && chunks.remove(chunk);
        } finally {
            lock.unlock();
        }
        if (unused) {
            close(chunk);
        }
    }

    /** Returns true if the free chunk is kept, so that a program near a chunk's limit does not register repeatedly. */
    private boolean isSpare(RegisteredChunk chunk) {
        return !closed
                && !chunk.isSingle()
                && chunk.isRegistered()
                && chunks.stream().noneMatch(other -> other != chunk && !other.isSingle() && other.isFree());
    }

    private void close(RegisteredChunk chunk) {
        try {
            chunk.close();
        } finally {
            unreserve(chunk.bytes());
        }
    }

    /** Returns the bytes of all chunks. */
    long registeredBytes() {
        lock.lock();
        try {
            return registered;
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters the free chunks; each other chunk is deregistered when its last block is returned. */
    void close() {
        List<RegisteredChunk> unused;
        lock.lock();
        try {
            closed = true;
            unused = chunks.stream().filter(RegisteredChunk::isFree).toList();
            chunks.removeAll(unused);
        } finally {
            lock.unlock();
        }
        InnerVerbs.door().cancelCloseWhenRemoved(pd.context(), end);
        unused.forEach(this::close);
    }

    @Override
    public String toString() {
        return "RegisteredByteBufAllocator of " + pd;
    }
}
