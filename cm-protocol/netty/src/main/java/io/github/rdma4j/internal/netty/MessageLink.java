// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.netty.wire.MessageBuffer;
import io.github.rdma4j.internal.netty.wire.MessageEngine;
import io.github.rdma4j.internal.netty.wire.Outlet;
import io.github.rdma4j.internal.rsocket.Link;
import io.github.rdma4j.internal.rsocket.LinkQueues;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of the native wire has of a device: queue pair, completion queue, and what it uses of a {@link DevicePool}.
 * Not safe for use by several threads.
 */
final class MessageLink implements Link, Outlet {
    /** One less than a power of 2, to which drivers round the size of a queue plus 1 up. */
    private static final int CROWD_SLOTS = 7;

    private static final int LEAST_SLOTS = 15;

    private static final int MOST_SLOTS = 127;
    private static final int SHORTEST_RECEIVE = 1024;
    private static final int INLINE = 64 + 16;
    private static final int DEVICE = 1;
    private static final int PROGRAM = 2;

    private final LinkQueues queues;
    private final DevicePool pool;
    private final Sizes sizes;

    /** Memory for headers. */
    private final ByteBuf words;

    /** Null if the device has no shared receives. */
    private final @Nullable SharedReceives shared;

    /** Null if the device has shared receives. */
    private final @Nullable OwnReceives alone;

    private final Receives receives;
    private int maxInline;
    private @Nullable QueuePair qp;
    private @Nullable MessageEngine engine;

    /** The connection has failed, perhaps because the peer has sent more than the completion queue has room for. */
    private boolean failed;

    /** Who uses the buffers no more, as a sum of the next two. */
    private final AtomicInteger done = new AtomicInteger();

    private MessageLink(LinkQueues queues, Sizes sizes, DevicePool pool, Parts parts) {
        this.queues = queues;
        this.pool = pool;
        this.sizes = sizes;
        words = parts.words;
        shared = sizes.shared;
        alone = parts.alone;
        receives = shared != null ? shared : Objects.requireNonNull(alone);
    }

    /** What a link on one device has. */
    private record Sizes(boolean iwarp, @Nullable SharedReceives shared, Hello own, int slots, int sendBytes) {
        static Sizes on(DeviceContext device, StreamSettings settings, DevicePool pool) throws RdmaException {
            DeviceAttr limits = device.queryDevice();
            boolean iwarp = device.device().nodeType() == RdmaDevice.NodeType.RNIC;
            SharedReceives shared = !iwarp && limits.maxSrq() > 0 ? pool.receives() : null;
            int most = limits.maxQpWr();
            int longest = shared == null ? PoolMemory.MESSAGE_BYTES : shared.bytes();
            int wish = Integer.highestOneBit(settings.receiveBytes() / Hello.LEAST_RECEIVES);
            int length = Math.max(SHORTEST_RECEIVE, Math.min(wish, longest));
            boolean crowded = longest < PoolMemory.MESSAGE_BYTES;
            int messages = Integer.highestOneBit(settings.sendBytes() / PoolMemory.MESSAGE_BYTES) - 1;
            int wished = crowded ? CROWD_SLOTS : Math.max(LEAST_SLOTS, Math.min(messages, MOST_SLOTS));
            int slots = Math.min(wished, most);
            int room = Math.min(Math.min(most, limits.maxCqe() - slots), Hello.MOST_RECEIVES);
            int count = crowded ? Hello.LEAST_RECEIVES : Math.min(settings.receiveBytes() / length, room);
            Hello own = new Hello(Math.max(count, Hello.LEAST_RECEIVES), length);
            return new Sizes(iwarp, shared, own, slots, settings.sendBytes());
        }
    }

    /** What a link takes of the pool. */
    private record Parts(ByteBuf words, @Nullable OwnReceives alone) {
        static Parts take(DevicePool pool, LinkQueues queues, Sizes sizes) throws RdmaException {
            ByteBuf words = pool.memory().take(sizes.slots * MessageEngine.WORD_BYTES);
            return Undo.onFailure(() -> new Parts(words, receives(pool, queues, sizes)), words::release);
        }

        private static @Nullable OwnReceives receives(DevicePool pool, LinkQueues queues, Sizes sizes)
                throws RdmaException {
            if (sizes.shared == null) {
                return OwnReceives.take(pool.memory(), queues, sizes.own);
            }
            sizes.shared.join(sizes.own.receives());
            return null;
        }
    }

    /** Makes the completion queue on the device of {@code id}, and takes what the link needs of the pool. */
    static MessageLink open(CmId id, StreamSettings settings) throws RdmaException {
        DevicePool pool = DevicePool.join(id.pd());
        return Undo.onFailure(() -> open(id, settings, pool), pool::leave);
    }

    private static MessageLink open(CmId id, StreamSettings settings, DevicePool pool) throws RdmaException {
        Sizes sizes = Sizes.on(id.context(), settings, pool);
        LinkQueues queues = LinkQueues.open(id, sizes.slots + sizes.own.receives());
        return Undo.onFailure(
                () -> new MessageLink(queues, sizes, pool, Parts.take(pool, queues, sizes)), queues::close);
    }

    @Override
    public WorkQueues queues() {
        return queues;
    }

    @Override
    public QueuePairOptions queuePair() {
        QueuePairOptions.Builder options = QueuePairOptions.builder()
                .cq(queues.cq())
                .maxSendWr(words.capacity() / MessageEngine.WORD_BYTES)
                .maxSendSge(2)
                .maxInline(INLINE);
        return shared != null
                ? options.srq(shared.queue()).build()
                : options.maxReceiveWr(sizes.own.receives()).maxReceiveSge(1).build();
    }

    /** Posts the receives; returns the engine. */
    MessageEngine prepare(QueuePair made) throws RdmaException {
        queues.use(made);
        qp = made;
        maxInline = made.capacities().maxInline();
        if (alone != null) {
            alone.postAll();
        }
        MessageEngine created = new MessageEngine(sizes.own, words, sizes.sendBytes, this);
        engine = created;
        return created;
    }

    /** True if the side that connects has to send first (RFC 5044, 7.1.3). */
    boolean isIwarp() {
        return sizes.iwarp;
    }

    PoolMemory memory() {
        return pool.memory();
    }

    // Sending.

    @Override
    public boolean isRegistered(ByteBuf buffer) {
        return NettyMemory.isRegistered(buffer, pool.pd());
    }

    @Override
    public int inlineBytes() {
        return maxInline;
    }

    @Override
    public MessageBuffer lend(int bytes) throws RdmaException {
        try {
            return pool.lend(bytes);
        } catch (RdmaException shortage) {
            if (maxInline <= MessageEngine.WORD_BYTES) {
                throw shortage;
            }
            // Short messages need no registered memory.
            return new MessageBuffer(Unpooled.directBuffer(maxInline, maxInline));
        }
    }

    @Override
    public void giveBack(MessageBuffer lent) {
        if (lent.memory().capacity() >= PoolMemory.SHORT_BYTES) {
            pool.giveBack(lent);
        } else {
            lent.release();
        }
    }

    @Override
    public void post(Post post) throws RdmaException {
        SendWorkRequest request = queues.nextSend(post.number, post.signaled);
        if (post.length == 0) {
            request.rdmaWrite(0, 0);
            return;
        }
        request.send();
        MessageBuffer buffer = post.buffer;
        ByteBuf source = post.source;
        if (buffer == null) {
            NettyMemory.add(request, words, post.offset, post.length);
        } else if (post.length <= maxInline) {
            request.inline(buffer.bytes(post.length));
            queues.flush();
        } else {
            NettyMemory.add(request, buffer.memory(), 0, post.length);
        }
        if (source != null) {
            NettyMemory.add(request, source, post.sourceIndex, post.sourceLength);
        }
    }

    // Receiving.

    @Override
    public void receive(WorkCompletion completion) throws RdmaException {
        int slot = (int) completion.wrId();
        int bytes = completion.byteLength();
        ByteBuf buffer = receives.came(slot);
        ByteBuf moved = receives.moveOut(slot, bytes);
        boolean taken = false;
        try {
            if (moved != null) {
                Objects.requireNonNull(engine).received(moved, MessageEngine.OWN_BUFFER, bytes);
            } else {
                Objects.requireNonNull(engine).received(buffer, slot, bytes);
            }
            taken = true;
        } finally {
            failed |= !taken;
            if (!taken && moved != null) {
                moved.release();
            } else if (!taken) {
                drop(slot);
            }
        }
    }

    /** A shared receive is for others, whatever becomes of this connection. */
    @Override
    public void drop(WorkCompletion completion) {
        failed |= !completion.isSuccess();
        if (shared != null && SharedReceives.isReceive(completion.wrId())) {
            int slot = (int) completion.wrId();
            ByteBuf unused = shared.came(slot);
            drop(slot);
        }
    }

    @Override
    public void drop(int slot) {
        if (shared != null) {
            try {
                shared.repost(slot);
            } catch (RdmaException deviceIsGone) {
                // With all of its receives.
            }
        }
    }

    @Override
    public void repost(int slot) throws RdmaException {
        receives.repost(slot);
    }

    /** Gives the buffer of a receive to the caller, in exchange. */
    ByteBuf exchange(int slot, ByteBuf fresh) {
        return receives.exchange(slot, fresh);
    }

    // The end.

    /** The queue pair takes no more shared receives. A connection that is reset may still be sending what was written. */
    @Override
    public void quiesce() {
        QueuePair used = qp;
        MessageEngine made = engine;
        if (shared != null && used != null && made != null && made.isDrained()) {
            try {
                used.modify(QpAttr.builder().state(QpState.ERR).build());
            } catch (RdmaException | IllegalStateException deviceIsGone) {
                // With all of its receives.
            }
        }
        giveReceivesBack();
    }

    /** What has come is not read: its receives are for others. */
    private void giveReceivesBack() {
        int all = 0;
        try {
            for (int count = queues.poll(); count > 0; count = queues.poll()) {
                for (int i = 0; i < count; i++) {
                    drop(queues.completion(i));
                }
                all += count;
            }
            failed |= all >= queues.capacity();
        } catch (RdmaException deviceIsGone) {
            // With all of its receives.
        } finally {
            queues.processed();
        }
    }

    /** Destroys the queues. If the kernel refuses that, the device may write on, and keeps the buffers. */
    @Override
    public void close() throws RdmaException {
        giveReceivesBack();
        queues.close();
        if (shared != null) {
            shared.replaceLost(failed && queues.wasFull());
        }
        isDone(DEVICE);
    }

    /** The program uses the buffers no more. They are released when the device does not either, by whoever is the last. */
    @Override
    public void free() throws RdmaException {
        isDone(PROGRAM);
    }

    private void isDone(int user) throws RdmaException {
        int before = done.getAndUpdate(users -> users | user);
        if (before != (DEVICE | PROGRAM) && (before | user) == (DEVICE | PROGRAM)) {
            release();
        }
    }

    private void release() throws RdmaException {
        MessageEngine made = engine;
        if (made != null) {
            made.release();
        }
        if (alone != null) {
            alone.release();
        }
        if (shared != null) {
            shared.leave(sizes.own.receives());
        }
        words.release();
        pool.leave();
    }
}
