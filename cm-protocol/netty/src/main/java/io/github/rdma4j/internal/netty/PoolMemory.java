// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBuf;
import java.io.UncheckedIOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The registered memory of a {@link ProtectionDomain} that connections use. Safe for use by several threads. */
final class PoolMemory {
    /** The length of a receive, and of the memory for a message. */
    static final int MESSAGE_BYTES = 8192;

    /** The same where there are many connections. */
    static final int SHORT_BYTES = 1024;

    /** Small, because at least one chunk is registered. */
    private static final int CHUNK_BYTES = 1 << 20;

    private final RegisteredByteBufAllocator alloc;

    PoolMemory(ProtectionDomain pd) {
        alloc = RegisteredByteBufAllocator.open(pd, Set.of(Access.LOCAL_WRITE), CHUNK_BYTES, Long.MAX_VALUE);
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
        } catch (IllegalStateException e) {
            throw new RdmaException("the device is gone: " + e.getMessage(), e);
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

    /** Deregisters what is free, and the rest when it is released. */
    void close() {
        alloc.close();
    }
}
