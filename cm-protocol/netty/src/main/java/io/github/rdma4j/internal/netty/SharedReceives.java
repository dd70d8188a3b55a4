// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The receives of all connections of a {@link DevicePool}, in one queue. Few connections have as many receives as their peers
 * may use; many connections share a number of receives. Then a message that its program does not read is moved out of its
 * receive, so that a connection that does not read takes nothing from the others. If all receives are in use for a moment, the
 * devices of the peers repeat their messages. Safe for use by several threads.
 */
final class SharedReceives implements Receives {
    /** One less than a power of 2, to which drivers round the size of a queue plus 1 up. */
    private static final int MOST = 8191;

    private static final int LEAST = 16;

    /** As many are there for each message that a peer may send. */
    private static final int NOT_SHARED = 767;

    /** Beyond, there is one for so many messages that peers may send. */
    private static final int SHARED_BY = 32;

    /** Marks the numbers of receives: a failed completion does not say whether it is one. */
    private static final long MARK = 1L << 62;

    private final DevicePool pool;
    private final SharedReceiveQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable ByteBuf[] buffers = new ByteBuf[MOST];
    private final ReceiveWorkRequest request = new ReceiveWorkRequest(1);

    /** The receives that there are, and those of them in the queue. */
    private int count;

    private int posted;

    /** The messages that all peers together may send. */
    private long promised;

    private SharedReceives(DevicePool pool, SharedReceiveQueue queue) {
        this.pool = pool;
        this.queue = queue;
    }

    static SharedReceives open(DevicePool pool) throws RdmaException {
        SharedReceiveQueueOptions options =
                SharedReceiveQueueOptions.builder().maxReceiveWr(MOST).build();
        return new SharedReceives(pool, pool.pd().createSrq(options));
    }

    /** The queue, for queue pairs. */
    SharedReceiveQueue queue() {
        return queue;
    }

    /** Another connection, whose peer may send {@code messages}. */
    void join(int messages) throws RdmaException {
        int missing;
        lock.lock();
        try {
            promised += messages;
            missing = enough() - count;
        } finally {
            lock.unlock();
        }
        boolean done = false;
        try {
            for (; missing > 0 && add(); missing--) {
                // The next one.
            }
            done = true;
        } finally {
            if (!done) {
                leave(messages);
            }
        }
    }

    private int enough() {
        return (int) Math.min(Math.min(promised, Math.max(NOT_SHARED, promised / SHARED_BY)), MOST);
    }

    void leave(int messages) {
        lock.lock();
        try {
            promised -= messages;
        } finally {
            lock.unlock();
        }
    }

    /** Posts another receive; returns false if there are enough, or as many as there is memory for. */
    private boolean add() throws RdmaException {
        ByteBuf fresh = count < LEAST ? pool.take(DevicePool.MESSAGE_BYTES) : pool.tryTake(DevicePool.MESSAGE_BYTES);
        if (fresh == null) {
            return false;
        }
        lock.lock();
        try {
            if (count < MOST) {
                buffers[count] = fresh;
                post(count++);
                return true;
            }
        } finally {
            lock.unlock();
        }
        fresh.release();
        return false;
    }

    private ByteBuf buffer(int slot) {
        return Objects.requireNonNull(buffers[slot], "the receives are closed");
    }

    private void post(int slot) throws RdmaException {
        NettyMemory.add(request.clear().wrId(slot | MARK), buffer(slot), 0, DevicePool.MESSAGE_BYTES);
        try {
            queue.postReceive(request);
            posted++;
        } catch (IllegalStateException closed) {
            throw new RdmaException("the device is gone: " + closed.getMessage(), closed);
        }
    }

    /** True if the number of a work request is that of a receive. */
    static boolean isReceive(long number) {
        return (number & MARK) != 0;
    }

    @Override
    public ByteBuf came(int slot) {
        lock.lock();
        try {
            posted--;
            return buffer(slot);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable ByteBuf moveOut(int slot, int bytes) throws RdmaException {
        lock.lock();
        try {
            if (promised <= count || 2 * posted >= count) {
                return null;
            }
            ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
            copy.writeBytes(buffer(slot), 0, bytes);
            post(slot);
            return copy;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void repost(int slot) throws RdmaException {
        lock.lock();
        try {
            post(slot);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ByteBuf exchange(int slot, ByteBuf fresh) {
        lock.lock();
        try {
            ByteBuf full = buffer(slot);
            buffers[slot] = fresh;
            return full;
        } finally {
            lock.unlock();
        }
    }

    /** Destroys the queue, and releases the buffers. If the kernel refuses the first, the device keeps the buffers. */
    void close() throws RdmaException {
        queue.close();
        lock.lock();
        try {
            for (int i = 0; i < MOST; i++) {
                ByteBuf buffer = buffers[i];
                buffers[i] = null;
                if (buffer != null) {
                    buffer.release();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
