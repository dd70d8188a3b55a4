// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBuf;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of all connections of a protection domain, while there are any. Buffers that the program has stay
 * valid afterwards. Safe for use by several threads.
 */
final class DevicePool {
    /** Small, because at least one chunk is registered. */
    private static final int CHUNK_BYTES = 1 << 20;

    private static final Map<ProtectionDomain, DevicePool> POOLS = new HashMap<>();
    private static final ReentrantLock LOCK = new ReentrantLock();

    private final ProtectionDomain pd;
    private final RegisteredByteBufAllocator alloc;
    private int users;

    private DevicePool(ProtectionDomain pd) {
        this.pd = pd;
        alloc = RegisteredByteBufAllocator.open(pd, Set.of(Access.LOCAL_WRITE), CHUNK_BYTES, Long.MAX_VALUE);
    }

    /** Returns the pool of a domain, for a user that calls {@link #leave} once. */
    static DevicePool join(ProtectionDomain pd) {
        LOCK.lock();
        try {
            DevicePool pool = POOLS.computeIfAbsent(pd, DevicePool::new);
            pool.users++;
            return pool;
        } finally {
            LOCK.unlock();
        }
    }

    /** Counts a user less; with the last one the free memory is deregistered. */
    void leave() {
        boolean over;
        LOCK.lock();
        try {
            users--;
            over = users == 0 && POOLS.remove(pd, this);
        } finally {
            LOCK.unlock();
        }
        if (over) {
            alloc.close();
        }
    }

    ProtectionDomain pd() {
        return pd;
    }

    RegisteredByteBufAllocator alloc() {
        return alloc;
    }

    /** Returns a buffer of {@code bytes} bytes. */
    ByteBuf take(int bytes) throws RdmaException {
        try {
            return alloc.directBuffer(bytes, bytes);
        } catch (UncheckedIOException e) {
            throw e.getCause() instanceof RdmaException cause
                    ? cause
                    : new RdmaException("no registered memory for a connection: " + e.getMessage(), e);
        }
    }

    /** As {@link #take}, but null if there is no memory, or the device is about to go. */
    @Nullable
    ByteBuf tryTake(int bytes) {
        try {
            return alloc.directBuffer(bytes, bytes);
        } catch (UncheckedIOException | IllegalStateException none) {
            return null;
        }
    }
}
