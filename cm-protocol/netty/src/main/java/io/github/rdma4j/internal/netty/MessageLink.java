// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.netty.wire.MessageEngine;
import io.github.rdma4j.internal.netty.wire.Outlet;
import io.github.rdma4j.internal.rsocket.Link;
import io.github.rdma4j.internal.rsocket.LinkQueues;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of the native wire has of a device: queue pair, completion queue, and buffers of a {@link DevicePool}.
 * Not safe for use by several threads.
 */
final class MessageLink implements Link, Outlet {
    private static final int SEND_SLOTS = 128;
    private static final int LONGEST_RECEIVE = 8192;
    private static final int SHORTEST_RECEIVE = 1024;
    private static final int LEAST_RING = 4096;
    private static final int INLINE = 64 + 16;
    private static final int BATCH = 16;
    private static final int POLLED = 32;

    private final DevicePool pool;
    private final boolean iwarp;
    private final Hello own;
    private final int sendSlots;
    private final LinkQueues queues;

    /** The memory that is sent from. */
    private final ByteBuf ring;

    /** The buffers of the receives. */
    private final @Nullable ByteBuf[] receives;

    private final WorkCompletion[] completions = WorkCompletion.array(POLLED);
    private final ReceiveWorkRequest[] reposts = new ReceiveWorkRequest[POLLED];
    private int repostCount;

    private final SendWorkRequest[] posts = new SendWorkRequest[BATCH];
    private final ByteBuffer[] inlines = new ByteBuffer[BATCH];
    private int postCount;
    private int maxInline;

    private @Nullable MessageEngine engine;

    private MessageLink(CmId id, StreamSettings settings, DevicePool pool) throws RdmaException {
        this.pool = pool;
        iwarp = id.context().device().nodeType() == RdmaDevice.NodeType.RNIC;
        int most = id.context().queryDevice().maxQpWr();
        int length = Math.max(
                SHORTEST_RECEIVE,
                Math.min(Integer.highestOneBit(settings.receiveBytes() / Hello.LEAST_RECEIVES), LONGEST_RECEIVE));
        int count = Math.min(settings.receiveBytes() / length, Math.min(most, Hello.MOST_RECEIVES));
        own = new Hello(Math.max(count, Hello.LEAST_RECEIVES), length);
        sendSlots = Math.min(SEND_SLOTS, most);
        receives = new @Nullable ByteBuf[own.receives()];
        queues = LinkQueues.open(id, sendSlots + own.receives());
        boolean done = false;
        try {
            ring = pool.take(Math.max(LEAST_RING, settings.sendBytes()));
            done = true;
        } finally {
            if (!done) {
                queues.close();
            }
        }
        for (int i = 0; i < POLLED; i++) {
            reposts[i] = new ReceiveWorkRequest(1);
        }
        for (int i = 0; i < BATCH; i++) {
            posts[i] = new SendWorkRequest(2);
            inlines[i] = ring.nioBuffer(0, ring.capacity());
        }
    }

    /** Makes the completion queue on the device of {@code id}, and takes the buffers. */
    static MessageLink open(CmId id, StreamSettings settings) throws RdmaException {
        DevicePool pool = DevicePool.join(id.pd());
        @Nullable MessageLink link = null;
        boolean done = false;
        try {
            link = new MessageLink(id, settings, pool);
            for (int i = 0; i < link.receives.length; i++) {
                link.receives[i] = pool.take(link.own.receiveBytes());
            }
            done = true;
            return link;
        } finally {
            if (!done && link != null) {
                link.queues.close();
                link.free();
            } else if (!done) {
                pool.leave();
            }
        }
    }

    QueuePairOptions queuePair() {
        return QueuePairOptions.builder()
                .cq(queues.cq())
                .maxSendWr(sendSlots)
                .maxReceiveWr(own.receives())
                .maxSendSge(2)
                .maxReceiveSge(1)
                .maxInline(INLINE)
                .build();
    }

    /** Posts the receives; returns the engine. */
    MessageEngine prepare(QueuePair made) throws RdmaException {
        queues.use(made);
        maxInline = made.capacities().maxInline();
        for (int i = 0; i < receives.length; i++) {
            repost(i);
        }
        flushReceives();
        MessageEngine created = new MessageEngine(own, ring, sendSlots, this);
        engine = created;
        return created;
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the buffers of the connection are released");
        }
        return value;
    }

    /** True if the side that connects has to send first (RFC 5044, 7.1.3). */
    boolean isIwarp() {
        return iwarp;
    }

    DevicePool pool() {
        return pool;
    }

    int receiveBytes() {
        return own.receiveBytes();
    }

    // Sending.

    @Override
    public boolean isRegistered(ByteBuf buffer) {
        return NettyMemory.isRegistered(buffer, pool.pd());
    }

    @Override
    public void post(Post post) throws RdmaException {
        if (postCount == BATCH) {
            flush();
        }
        SendWorkRequest request = posts[postCount];
        request.clear().wrId(post.number()).send();
        if (post.signaled()) {
            request.signaled();
        } else {
            request.unsignaled();
        }
        ByteBuf source = post.source();
        if (source != null) {
            NettyMemory.add(request, ring, post.offset(), post.length());
            NettyMemory.add(request, source, post.sourceIndex(), post.sourceLength());
        } else if (post.length() <= maxInline) {
            ByteBuffer inline = inlines[postCount];
            request.inline(inline.limit(post.offset() + post.length()).position(post.offset()));
        } else {
            NettyMemory.add(request, ring, post.offset(), post.length());
        }
        postCount++;
    }

    @Override
    public void flush() throws RdmaException {
        if (postCount == 0) {
            return;
        }
        int count = postCount;
        postCount = 0;
        queues.postSend(posts, count);
    }

    // Receiving.

    @Override
    public int poll() throws RdmaException {
        return queues.poll(completions);
    }

    @Override
    public int pollLimit() {
        return POLLED;
    }

    @Override
    public WorkCompletion completion(int index) {
        return completions[index];
    }

    /** Gives a message to the engine. */
    void receive(WorkCompletion completion) throws RdmaException {
        int slot = (int) completion.wrId();
        present(engine).received(present(receives[slot]), slot, completion.byteLength());
    }

    @Override
    public void repost(int slot) throws RdmaException {
        if (repostCount == POLLED) {
            flushReceives();
        }
        ReceiveWorkRequest request = reposts[repostCount].clear().wrId(slot);
        NettyMemory.add(request, present(receives[slot]), 0, own.receiveBytes());
        repostCount++;
    }

    /** Gives the buffer of a receive to the caller, in exchange. */
    ByteBuf exchange(int slot, ByteBuf fresh) {
        ByteBuf full = present(receives[slot]);
        receives[slot] = fresh;
        return full;
    }

    @Override
    public void flushReceives() throws RdmaException {
        if (repostCount > 0) {
            int count = repostCount;
            repostCount = 0;
            queues.postReceive(reposts, count);
        }
    }

    // Waiting.

    @Override
    public Pollable.Descriptor descriptor() {
        return queues.descriptor();
    }

    @Override
    public void arm() throws RdmaException {
        queues.arm();
    }

    @Override
    public boolean takeEvent() throws RdmaException, InterruptedException {
        return queues.takeEvent();
    }

    @Override
    public void close() throws RdmaException {
        queues.close();
    }

    /** Releases the buffers: neither the device nor the program uses them any more. */
    @Override
    public void free() {
        MessageEngine made = engine;
        if (made != null) {
            made.release();
        }
        for (int i = 0; i < receives.length; i++) {
            ByteBuf buffer = receives[i];
            receives[i] = null;
            if (buffer != null) {
                buffer.release();
            }
        }
        ring.release();
        pool.leave();
    }
}
