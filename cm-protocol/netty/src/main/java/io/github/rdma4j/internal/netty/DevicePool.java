// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.internal.netty.wire.MessageBuffer;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The registered memory of all connections of a protection domain, while there are any: the receives that they share, and
 * memory for messages, which is lent to those that have something to send. Buffers that the program has stay valid
 * afterwards. Safe for use by several threads.
 */
final class DevicePool {
    /** The memory for messages that is kept for the next message. */
    private static final int SPARE = 64;

    private static final Map<ProtectionDomain, DevicePool> POOLS = new HashMap<>();
    private static final ReentrantLock LOCK = new ReentrantLock();

    private final ProtectionDomain pd;
    private final PoolMemory memory;
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
        memory = new PoolMemory(pd);
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
        FirstFailure failure = new FirstFailure();
        receives.values().forEach(shared -> failure.attempt(shared::close));
        failure.attempt(this::free);
        failure.throwIfAny();
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
        memory.close();
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
            made = SharedReceives.open(pd, memory, kind);
            receives.put(kind, made);
        }
        return made;
    }

    ProtectionDomain pd() {
        return pd;
    }

    PoolMemory memory() {
        return memory;
    }

    /** Lends memory for a message of at most {@code bytes} bytes; what is lent often allocates nothing. */
    MessageBuffer lend(int bytes) throws RdmaException {
        int length = bytes <= PoolMemory.SHORT_BYTES ? PoolMemory.SHORT_BYTES : PoolMemory.MESSAGE_BYTES;
        MessageBuffer lent;
        lock.lock();
        try {
            lent = spare(length).pollLast(); // the one that the caches know
        } finally {
            lock.unlock();
        }
        return lent != null ? lent : new MessageBuffer(memory.take(length));
    }

    private ArrayDeque<MessageBuffer> spare(int length) {
        return length == PoolMemory.SHORT_BYTES ? shortSpare : spare;
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
