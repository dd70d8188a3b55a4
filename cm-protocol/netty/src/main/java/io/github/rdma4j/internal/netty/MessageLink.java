// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.netty.wire.MessageEngine;
import io.github.rdma4j.internal.netty.wire.Outlet;
import io.github.rdma4j.internal.rsocket.Link;
import io.github.rdma4j.internal.rsocket.LinkQueues;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of the native wire has of a device: queue pair, completion queue, and buffers of a {@link DevicePool}.
 * Not safe for use by several threads.
 */
final class MessageLink implements Link, Outlet {
    private static final int SEND_SLOTS = 128;
    private static final int LONGEST_RECEIVE = 8192;
    private static final int SHORTEST_RECEIVE = 1024;
    private static final int LEAST_RING = 8192;
    private static final int INLINE = 64 + 16;
    private static final int DEVICE = 1;
    private static final int PROGRAM = 2;

    private final LinkQueues queues;
    private final DevicePool pool;
    private final boolean iwarp;
    private final Hello own;
    private final int sendSlots;

    /** The memory that is sent from. */
    private final ByteBuf ring;

    /** Views of the ring for inline data, by the place of the send. */
    private final ByteBuffer[] inlines = new ByteBuffer[LinkQueues.BATCH];

    /** The buffers of the receives. */
    private final @Nullable ByteBuf[] receives;

    private int maxInline;

    private @Nullable MessageEngine engine;

    /** Who uses the buffers no more, as a sum of the next two. */
    private final AtomicInteger done = new AtomicInteger();

    private MessageLink(LinkQueues queues, Sizes sizes, DevicePool pool, ByteBuf ring) {
        this.queues = queues;
        this.pool = pool;
        this.ring = ring;
        iwarp = sizes.iwarp;
        own = sizes.own;
        sendSlots = sizes.sendSlots;
        receives = new @Nullable ByteBuf[own.receives()];
        Arrays.setAll(inlines, i -> ring.nioBuffer(0, ring.capacity()));
    }

    /** What a link on one device has. */
    private record Sizes(boolean iwarp, Hello own, int sendSlots) {
        static Sizes on(DeviceContext device, StreamSettings settings) throws RdmaException {
            int most = device.queryDevice().maxQpWr();
            int length = Math.max(
                    SHORTEST_RECEIVE,
                    Math.min(Integer.highestOneBit(settings.receiveBytes() / Hello.LEAST_RECEIVES), LONGEST_RECEIVE));
            int count = Math.min(settings.receiveBytes() / length, Math.min(most, Hello.MOST_RECEIVES));
            Hello own = new Hello(Math.max(count, Hello.LEAST_RECEIVES), length);
            boolean iwarp = device.device().nodeType() == RdmaDevice.NodeType.RNIC;
            return new Sizes(iwarp, own, Math.min(SEND_SLOTS, most));
        }
    }

    /** Makes the completion queue on the device of {@code id}, and takes the buffers. */
    static MessageLink open(CmId id, StreamSettings settings) throws RdmaException {
        DevicePool pool = DevicePool.join(id.pd());
        @Nullable MessageLink link = null;
        boolean done = false;
        try {
            link = open(id, settings, pool);
            for (int i = 0; i < link.receives.length; i++) {
                link.receives[i] = pool.take(link.own.receiveBytes());
            }
            done = true;
            return link;
        } finally {
            if (!done && link != null) {
                link.close();
                link.free();
            } else if (!done) {
                pool.leave();
            }
        }
    }

    /** A link without buffers for receives. */
    private static MessageLink open(CmId id, StreamSettings settings, DevicePool pool) throws RdmaException {
        Sizes sizes = Sizes.on(id.context(), settings);
        LinkQueues queues = LinkQueues.open(id, sizes.sendSlots + sizes.own.receives(), 2);
        boolean done = false;
        try {
            ByteBuf ring = pool.take(Math.max(LEAST_RING, settings.sendBytes()));
            done = true;
            return new MessageLink(queues, sizes, pool, ring);
        } finally {
            if (!done) {
                queues.close();
            }
        }
    }

    @Override
    public WorkQueues queues() {
        return queues;
    }

    @Override
    public QueuePairOptions queuePair() {
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
        queues.flushReceives();
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
        SendWorkRequest request = queues.nextSend(post.number(), post.signaled());
        if (post.length() == 0) {
            request.rdmaWrite(0, 0);
            return;
        }
        request.send();
        ByteBuf source = post.source();
        if (source != null) {
            NettyMemory.add(request, ring, post.offset(), post.length());
            NettyMemory.add(request, source, post.sourceIndex(), post.sourceLength());
        } else if (post.length() <= maxInline) {
            ByteBuffer inline = inlines[queues.placeOfSend()];
            request.inline(inline.limit(post.offset() + post.length()).position(post.offset()));
        } else {
            NettyMemory.add(request, ring, post.offset(), post.length());
        }
    }

    // Receiving.

    @Override
    public void receive(WorkCompletion completion) throws RdmaException {
        int slot = (int) completion.wrId();
        present(engine).received(present(receives[slot]), slot, completion.byteLength());
    }

    @Override
    public void repost(int slot) throws RdmaException {
        ByteBuf buffer = present(receives[slot]);
        NettyMemory.add(queues.nextReceive(slot), buffer, 0, own.receiveBytes());
    }

    /** Gives the buffer of a receive to the caller, in exchange. */
    ByteBuf exchange(int slot, ByteBuf fresh) {
        ByteBuf full = present(receives[slot]);
        receives[slot] = fresh;
        return full;
    }

    /** Destroys the queues. If the kernel refuses that, the device may write on, and keeps the buffers. */
    @Override
    public void close() throws RdmaException {
        queues.close();
        isDone(DEVICE);
    }

    /** The program uses the buffers no more. They are released when the device does not either, by whoever is the last. */
    @Override
    public void free() {
        isDone(PROGRAM);
    }

    private void isDone(int user) {
        int before = done.getAndUpdate(users -> users | user);
        if (before != (DEVICE | PROGRAM) && (before | user) == (DEVICE | PROGRAM)) {
            release();
        }
    }

    private void release() {
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
