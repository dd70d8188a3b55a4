// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Receives that connections of a protection domain share, in one queue. Few connections have as many receives as their peers may
 * use; many connections share a number of receives. Then a message that its program does not read is moved out of its receive, so
 * that a connection that does not read takes nothing from the others. If all receives are in use for a moment, the devices of the
 * peers repeat their messages. Safe for use by several threads.
 */
final class SharedReceives implements Receives {
    private static final int LEAST = 16;

    /** Marks the numbers of receives: a failed completion does not say whether it is one. */
    private static final long MARK = 1L << 62;

    private final PoolMemory memory;
    private final Kind kind;
    private final SharedReceiveQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ByteBuf[] buffers = new ByteBuf[LEAST];
    private final ReceiveWorkRequest request = new ReceiveWorkRequest(1);

    /** The slots that have been given numbers, the receives that there are, and those that were posted and have not come. */
    private int slots;

    private int count;
    private int posted;

    /** The slots without a receive. */
    private int holes;

    /** True if a receive has been replaced, perhaps needlessly. */
    private boolean replaced;

    private int connections;

    /** The messages that all peers together may send. */
    private long promised;

    private SharedReceives(PoolMemory memory, Kind kind, SharedReceiveQueue queue) {
        this.memory = memory;
        this.kind = kind;
        this.queue = queue;
    }

    /** What a queue is for. The capacities are one less than a power of 2, to which drivers round a size plus 1 up. */
    enum Kind {
        /** For the usual number of connections: at least one receive for each, and all that are promised to a few. */
        USUAL(PoolMemory.MESSAGE_BYTES, 767, 1),

        /** For all others: short receives, one for each connection. */
        CROWD(PoolMemory.SHORT_BYTES, 32_767, Hello.LEAST_RECEIVES);

        private final int bytes;
        private final int most;
        private final int sharedBy;

        Kind(int bytes, int most, int sharedBy) {
            this.bytes = bytes;
            this.most = most;
            this.sharedBy = sharedBy;
        }
    }

    static SharedReceives open(ProtectionDomain pd, PoolMemory memory, Kind kind) throws RdmaException {
        int most = Math.min(kind.most, pd.context().queryDevice().maxSrqWr());
        SharedReceiveQueueOptions options =
                SharedReceiveQueueOptions.builder().maxReceiveWr(most).build();
        return new SharedReceives(memory, kind, pd.createSrq(options));
    }

    /** The length of a receive. */
    int bytes() {
        return kind.bytes;
    }

    /** True if another connection would have no receive of its own. */
    boolean isFull() {
        lock.lock();
        try {
            return connections >= queue.capacity();
        } finally {
            lock.unlock();
        }
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
            connections++;
            promised += messages;
            missing = enough() - count;
        } finally {
            lock.unlock();
        }
        try {
            for (; missing > 0 && add(); missing--) {
                // The next one.
            }
        } catch (RdmaException | RuntimeException | Error e) {
            leave(messages);
            throw e;
        }
    }

    private int enough() {
        return (int) Math.min((promised + kind.sharedBy - 1) / kind.sharedBy, queue.capacity());
    }

    void leave(int messages) {
        lock.lock();
        try {
            connections--;
            promised -= messages;
        } finally {
            lock.unlock();
        }
    }

    /** Posts another receive; returns false if there are enough, or as many as there is memory for. */
    private boolean add() throws RdmaException {
        ByteBuf fresh = count < LEAST ? memory.take(kind.bytes) : memory.tryTake(kind.bytes);
        if (fresh == null) {
            return false;
        }
        lock.lock();
        try {
            if (count < queue.capacity()) {
                count++;
                post(slotOf(fresh));
                return true;
            }
        } finally {
            lock.unlock();
        }
        fresh.release();
        return false;
    }

    private int slotOf(ByteBuf fresh) {
        if (holes > 0) {
            holes--;
            int hole = Arrays.asList(buffers).indexOf(null);
            buffers[hole] = fresh;
            return hole;
        }
        if (slots == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * slots);
        }
        buffers[slots] = fresh;
        return slots++;
    }

    /**
     * Another receive takes the place of one that a connection, whose queue pair is destroyed, may have taken along: that of a message
     * whose rest never came, which soft-RoCE of Linux 7.2 does not flush, or of more messages than the completion queue had
     * room for. Receives on their way to other connections look like lost ones. If none was lost, {@link #post} finds that out later.
     * The memory of a lost receive is free when the queue is closed: nobody can say which of the receives on their way it is.
     *
     * @param certain false if the queue says whether a receive is missing
     */
    void replaceLost(boolean certain) throws RdmaException {
        if (!certain && !isMissing()) {
            return;
        }
        ByteBuf fresh = memory.tryTake(kind.bytes);
        if (fresh != null) {
            lock.lock();
            try {
                replaced = true;
                posted--;
                post(slotOf(fresh));
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean isMissing() {
        lock.lock();
        try {
            return posted <= queue.capacity() && !queue.holds(posted);
        } catch (IllegalStateException deviceIsGone) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private ByteBuf buffer(int slot) {
        return Objects.requireNonNull(buffers[slot], "the receives are closed");
    }

    /** Posts a receive. After a needless replacement the queue holds one more than are known of, and this one goes. */
    private void post(int slot) throws RdmaException {
        ByteBuf buffer = buffer(slot);
        NettyMemory.add(request.clear().wrId(slot | MARK), buffer, 0, kind.bytes);
        try {
            boolean needless = replaced && posted < queue.capacity() && queue.holds(posted + 1);
            posted++;
            if (needless || !queue.tryPostReceive(request)) {
                buffers[slot] = null;
                holes++;
                buffer.release();
            }
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
        if (!isScarce()) {
            return null;
        }
        ByteBuf copy;
        try {
            copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
        } catch (OutOfMemoryError noDirectMemory) {
            return null; // The message stays in its receive.
        }
        boolean done = false;
        lock.lock();
        try {
            copy.writeBytes(buffer(slot), 0, bytes);
            post(slot);
            done = true;
            return copy;
        } finally {
            lock.unlock();
            if (!done) {
                copy.release();
            }
        }
    }

    /** True if there are fewer receives than peers may use together, and most of them are in use. */
    private boolean isScarce() {
        lock.lock();
        try {
            return promised > count && 2 * posted < count;
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
            for (int i = 0; i < slots; i++) {
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
