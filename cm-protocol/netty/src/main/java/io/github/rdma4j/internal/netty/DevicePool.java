// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.internal.netty.wire.MessageBuffer;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBuf;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of all connections of a protection domain, while there are any: the receives that they share, and
 * memory for messages, which is lent to those that have something to send. Buffers that the program has stay valid
 * afterwards. Safe for use by several threads.
 */
final class DevicePool {
    /** The length of a receive, and of the memory for a message. */
    static final int MESSAGE_BYTES = 8192;

    /** The same where there are many connections. */
    static final int SHORT_BYTES = 1024;

    /** Small, because at least one chunk is registered. */
    private static final int CHUNK_BYTES = 1 << 20;

    /** The memory for messages that is kept for the next message. */
    private static final int SPARE = 64;

    private static final Map<ProtectionDomain, DevicePool> POOLS = new HashMap<>();
    private static final ReentrantLock LOCK = new ReentrantLock();

    private final ProtectionDomain pd;
    private final RegisteredByteBufAllocator alloc;
    private int users;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<MessageBuffer> spare = new ArrayDeque<>(SPARE);
    private final ArrayDeque<MessageBuffer> shortSpare = new ArrayDeque<>(SPARE);
    private boolean over;

    /** Held while the queue of the shared receives is made. */
    private final ReentrantLock making = new ReentrantLock();

    private final Map<SharedReceives.Kind, SharedReceives> receives = new EnumMap<>(SharedReceives.Kind.class);

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
    void leave() throws RdmaException {
        boolean last;
        LOCK.lock();
        try {
            users--;
            last = users == 0 && POOLS.remove(pd, this);
        } finally {
            LOCK.unlock();
        }
        if (last) {
            close();
        }
    }

    /** Nobody uses the pool any more, and nobody joins. */
    private void close() throws RdmaException {
        try {
            close(receives.get(SharedReceives.Kind.USUAL));
        } finally {
            try {
                close(receives.get(SharedReceives.Kind.CROWD));
            } finally {
                free();
            }
        }
    }

    private static void close(@Nullable SharedReceives shared) throws RdmaException {
        if (shared != null) {
            shared.close();
        }
    }

    private void free() {
        lock.lock();
        try {
            over = true;
            spare.forEach(MessageBuffer::release);
            spare.clear();
            shortSpare.forEach(MessageBuffer::release);
            shortSpare.clear();
        } finally {
            lock.unlock();
        }
        alloc.close();
    }

    /** The receives for another connection. */
    SharedReceives receives() throws RdmaException {
        making.lock();
        try {
            SharedReceives usual = receives(SharedReceives.Kind.USUAL);
            return usual.isFull() ? receives(SharedReceives.Kind.CROWD) : usual;
        } finally {
            making.unlock();
        }
    }

    private SharedReceives receives(SharedReceives.Kind kind) throws RdmaException {
        SharedReceives made = receives.get(kind);
        if (made == null) {
            made = SharedReceives.open(this, kind);
            receives.put(kind, made);
        }
        return made;
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

    /** Lends memory for a message of at most {@code bytes} bytes; what is lent often allocates nothing. */
    MessageBuffer lend(int bytes) throws RdmaException {
        int length = bytes <= SHORT_BYTES ? SHORT_BYTES : MESSAGE_BYTES;
        MessageBuffer lent;
        lock.lock();
        try {
            lent = spare(length).pollLast(); // the one that the caches know
        } finally {
            lock.unlock();
        }
        return lent != null ? lent : new MessageBuffer(take(length));
    }

    private ArrayDeque<MessageBuffer> spare(int length) {
        return length == SHORT_BYTES ? shortSpare : spare;
    }

    void giveBack(MessageBuffer lent) {
        lock.lock();
        try {
            ArrayDeque<MessageBuffer> like = spare(lent.memory().capacity());
            if (!over && like.size() < SPARE) {
                like.addLast(lent);
                return;
            }
        } finally {
            lock.unlock();
        }
        lent.release();
    }
}
