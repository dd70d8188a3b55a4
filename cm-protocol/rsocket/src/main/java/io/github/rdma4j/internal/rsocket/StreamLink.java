// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.rsocket.wire.Queues;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.internal.rsocket.wire.StreamMemory;
import io.github.rdma4j.internal.rsocket.wire.Wire;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a connection has of a device: queue pair, completion queue, and registered memory. Sends what the engine posts, in
 * batches. Not safe for use by several threads.
 */
final class StreamLink implements Link, Wire {
    private final LinkQueues queues;
    /** The sizes that rsocket has at least. */
    private static final int LEAST_QUEUE = 16;

    /** Receives beside those that the peer may use for data: for its credits and its control messages. */
    private static final int SPARE_RECEIVES = 8;

    private static final int LARGEST_QUEUE = 0xfffe - SPARE_RECEIVES;

    private final StreamSettings settings;
    private final boolean iwarp;
    private final int sendSlots;
    private final int receives;
    private final LinkMemory memory;

    /** Messages, by the place of their send; on iWARP. */
    private final ByteBuffer[] words;

    private int maxInline;
    private @Nullable StreamEngine engine;

    private StreamLink(
            StreamSettings settings, boolean iwarp, DeviceAttr device, LinkQueues queues, ProtectionDomain pd)
            throws RdmaException {
        this.queues = queues;
        this.settings = settings;
        this.iwarp = iwarp;
        this.sendSlots = sendSlots(settings, device);
        this.receives = receives(settings, device);
        words = new ByteBuffer[iwarp ? LinkQueues.BATCH : 0];
        Arrays.setAll(
                words, i -> ByteBuffer.allocateDirect(StreamMemory.MESSAGE).order(ByteOrder.nativeOrder()));
        memory = LinkMemory.open(pd, settings, iwarp ? receives + SPARE_RECEIVES : 0);
    }

    private static int sendSlots(StreamSettings settings, DeviceAttr device) {
        return clamp(settings.queues().send(), Math.min(LARGEST_QUEUE, device.maxQpWr()));
    }

    private static int receives(StreamSettings settings, DeviceAttr device) {
        return clamp(settings.queues().receive(), Math.min(LARGEST_QUEUE, device.maxQpWr() - SPARE_RECEIVES));
    }

    private static int clamp(int wish, int most) {
        return Math.max(LEAST_QUEUE, Math.min(wish, most));
    }

    /** Creates the completion queue on the device of {@code id}, and registers the memory. */
    static StreamLink open(CmId id, StreamSettings settings) throws RdmaException {
        boolean iwarp = id.context().device().nodeType() == RdmaDevice.NodeType.RNIC;
        DeviceAttr device = id.context().queryDevice();
        int entries = sendSlots(settings, device) + receives(settings, device) + SPARE_RECEIVES;
        LinkQueues queues = LinkQueues.open(id, entries);
        return Undo.onFailure(() -> new StreamLink(settings, iwarp, device, queues, id.pd()), queues::close);
    }

    @Override
    public Link.WorkQueues queues() {
        return queues;
    }

    @Override
    public QueuePairOptions queuePair() {
        return QueuePairOptions.builder()
                .cq(queues.cq())
                .maxSendWr(sendSlots)
                .maxReceiveWr(receives + SPARE_RECEIVES)
                .maxSendSge(1)
                .maxReceiveSge(1)
                .maxInline(
                        iwarp
                                ? Math.max(settings.queues().inline(), StreamMemory.MESSAGE)
                                : settings.queues().inline())
                .build();
    }

    /** Posts the receives; returns the engine. */
    StreamEngine prepare(QueuePair made) throws RdmaException {
        queues.use(made);
        maxInline = made.capacities().maxInline();
        for (int i = 0; i < receives + SPARE_RECEIVES; i++) {
            repost(i);
        }
        queues.flushReceives();
        StreamEngine created = new StreamEngine(memory.first(), new Queues(sendSlots, receives, iwarp), this, memory);
        engine = created;
        return created;
    }

    /** True if messages are sent, and the side that connects has to send first (RFC 5044, 7.1.3). */
    boolean isIwarp() {
        return iwarp;
    }

    // Sending.

    @Override
    public void post(Wire.Post post) throws RdmaException {
        if (!iwarp) {
            add(post, post.hasMessage, post.signaled);
            return;
        }
        if (post.length > 0 || !post.hasMessage) {
            add(post, false, post.signaled && !post.hasMessage);
        }
        if (post.hasMessage) {
            addMessage(post);
        }
    }

    private void add(Wire.Post post, boolean withMessage, boolean signaled) throws RdmaException {
        SendWorkRequest request = queues.nextSend(post.number, signaled);
        if (withMessage) {
            request.rdmaWriteWithImmediate(post.remoteAddress, post.remoteKey, post.message);
        } else {
            request.rdmaWrite(post.remoteAddress, post.remoteKey);
        }
        if (post.length > 0) {
            memory.add(request, post);
            if (post.length <= maxInline) {
                request.inlined();
            }
        }
    }

    /** On iWARP a write carries no message: a send follows, in the byte order of this machine. */
    private void addMessage(Wire.Post post) throws RdmaException {
        SendWorkRequest request = queues.nextSend(post.number, post.signaled);
        ByteBuffer word = words[queues.placeOfSend()];
        word.putInt(0, post.message);
        request.send().inline(word);
    }

    // Receiving.

    /** Also marks the receive to be posted again. */
    @Override
    public void receive(WorkCompletion completion) throws RdmaException {
        if (iwarp) {
            int place = (int) completion.wrId();
            int message = memory.first().remote().getInt(memory.messageOffset(place));
            Objects.requireNonNull(engine).received(message, StreamEngine.UNKNOWN_LENGTH);
            repost(place);
            return;
        }
        if (!completion.hasImmediate()) {
            throw new RdmaException("the peer sent a message without immediate data: it is no rsocket");
        }
        Objects.requireNonNull(engine).received(completion.immediate(), completion.byteLength());
        repost(0);
    }

    private void repost(int place) throws RdmaException {
        ReceiveWorkRequest request = queues.nextReceive(place);
        if (iwarp) {
            request.add(memory.region(), memory.messageOffset(place), StreamMemory.MESSAGE);
        }
    }

    /** True if there is a larger receive buffer than the first. */
    boolean mayGrow() {
        return settings.receiveBytes() > memory.first().places().receiveBytes();
    }

    /** Sets what is called when the engine takes a larger send buffer, which it gives back when it rests. */
    void onLargerSendBuffer(Runnable action) {
        memory.onSendBuffer(action);
    }

    /** The domain of memory for the peer's direct writes. */
    ProtectionDomain pd() {
        return memory.pd();
    }

    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(queues::close);
        memory.close(failure);
        failure.throwIfAny();
    }

    @Override
    public void free() {
        memory.free();
    }
}
