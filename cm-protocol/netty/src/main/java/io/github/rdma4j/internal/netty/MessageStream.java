// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.netty.wire.MessageEngine;
import io.github.rdma4j.internal.rsocket.StreamLife;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A stream of bytes on the native wire, for one event loop: one thread at a time reads and writes. The thread of the
 * connection manager and those that close are others.
 */
public final class MessageStream extends StreamLife {
    /** A message of so many bytes is copied, so that it does not keep the buffer of a receive. */
    private static final int COPIED = 1024;

    private final MessageLink link;
    private final MessageEngine engine;
    private final ChannelOutboundBuffer.MessageProcessor walk = this::walk;

    /** For the walk: the bytes of the messages that were written already, and whether all the others could be. */
    private long skipped;

    private boolean full;

    /** The written bytes whose messages the channel has removed. */
    private long removed;

    MessageStream(Connection connection, MessageLink link, MessageEngine engine, StreamSettings settings) {
        super(connection, link, engine, settings);
        this.link = link;
        this.engine = engine;
    }

    @Override
    protected String wire() {
        return "native";
    }

    @Override
    protected byte[] description() {
        return engine.description().encode();
    }

    @Override
    protected void begin(byte[] told, boolean accepted) throws IOException {
        Hello peer = Hello.decode(told);
        begin(() -> {
            if (accepted && link.isIwarp()) {
                engine.letPeerSpeakFirst();
            }
            engine.connected(peer);
            if (!accepted && link.isIwarp()) {
                engine.speakFirst();
            }
        });
    }

    /** Allocates buffers that are sent without a copy. */
    public ByteBufAllocator registered() {
        return link.memory().alloc();
    }

    // Writing.

    /**
     * Writes flushed messages, as many as possible now. A message that is a file ends the call, unless it is the first.
     *
     * @return false if the window was full
     */
    public boolean write(ChannelOutboundBuffer from) throws Exception {
        lock.lock();
        try {
            state.requireOutput();
            skipped = engine.written() - removed;
            full = false;
            from.forEachFlushedMessage(walk);
            engine.flushOpen();
            state.flush();
            return !full;
        } catch (RdmaException | IllegalStateException broken) {
            throw state.failed(broken);
        } finally {
            lock.unlock();
        }
    }

    private boolean walk(Object message) throws RdmaException {
        if (!(message instanceof ByteBuf buffer)) {
            return false;
        }
        int length = buffer.readableBytes();
        if (skipped >= length) {
            skipped -= length;
            return true;
        }
        int before = (int) skipped;
        skipped = 0;
        full = put(buffer, buffer.readerIndex() + before, length - before) < length - before;
        return !full;
    }

    private int put(ByteBuf buffer, int index, int length) throws RdmaException {
        int bytes = putAll(buffer, index, length);
        while (bytes < length && state.process()) {
            int more = engine.peerGone() ? 0 : putAll(buffer, index + bytes, length - bytes);
            bytes += more;
        }
        state.traffic().wrote(bytes, bytes < length && engine.awaitsPeer());
        return bytes;
    }

    private int putAll(ByteBuf buffer, int index, int length) throws RdmaException {
        if (!(buffer instanceof CompositeByteBuf composite) || length < MessageEngine.GATHERED) {
            return engine.write(buffer, index, length);
        }
        int total = 0;
        for (ByteBuf part : composite.decompose(index, length)) {
            int bytes = engine.write(part, part.readerIndex(), part.readableBytes());
            total += bytes;
            if (bytes < part.readableBytes()) {
                break;
            }
        }
        return total;
    }

    /** Writes bytes of a buffer that nobody else has; returns their number. */
    public int write(ByteBuf from) throws IOException {
        lock.lock();
        try {
            state.requireOutput();
            int bytes = put(from, from.readerIndex(), from.readableBytes());
            engine.flushOpen();
            state.flush();
            removed += bytes;
            return bytes;
        } catch (RdmaException | IllegalStateException broken) {
            throw state.failed(broken);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of bytes that are to be removed from the messages of the channel, because they are sent or copied. */
    public long takeCopied() {
        return take(false);
    }

    /** As {@link #takeCopied}, with the bytes that the device still has to read: the stream has their buffers until then. */
    public long takeWritten() {
        return take(true);
    }

    private long take(boolean all) {
        lock.lock();
        try {
            long bytes = (all ? engine.written() : engine.copied()) - removed;
            removed += bytes;
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** True if a write fails. */
    public boolean isOutputOver() {
        lock.lock();
        try {
            return state.isOutputOver();
        } finally {
            lock.unlock();
        }
    }

    /** True if {@link #takeCopied} has something. */
    public boolean hasCopied() {
        lock.lock();
        try {
            return engine.copied() > removed;
        } finally {
            lock.unlock();
        }
    }

    /** True if messages of the channel wait until the device has read them. */
    public boolean isReading() {
        lock.lock();
        try {
            return engine.written() > removed;
        } finally {
            lock.unlock();
        }
    }

    // Reading.

    /**
     * Reads the next bytes: a large message in the buffer that it has come in, smaller ones in one of {@code alloc}.
     *
     * @return null if there is nothing; {@code handle} knows the number of bytes, -1 at the end of the stream
     */
    public @Nullable ByteBuf read(ExtendedHandle handle, ByteBufAllocator alloc) throws IOException {
        int next = await();
        handle.lastBytesRead(next);
        if (next <= 0) {
            return null;
        }
        if (engine.nextSlot() == MessageEngine.OWN_BUFFER) {
            handle.attemptedBytesRead(next);
            return takeOwn();
        }
        ByteBuf fresh = next > COPIED ? link.memory().tryTake(PoolMemory.MESSAGE_BYTES) : null;
        if (fresh != null) {
            handle.attemptedBytesRead(next);
            return exchange(fresh);
        }
        ByteBuf into = handle.allocate(alloc);
        handle.attemptedBytesRead(into.writableBytes());
        boolean done = false;
        try {
            handle.lastBytesRead(copy(into));
            done = true;
            return into;
        } finally {
            if (!done) {
                into.release();
            }
        }
    }

    /** The length of the next message; 0 for none, -1 at the end. */
    private int await() throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            if (engine.available() == 0) {
                state.process();
            }
            if (engine.available() == 0 && engine.atEnd()) {
                return -1;
            }
            if (engine.available() == 0) {
                state.throwFailure();
            }
            return engine.nextLength();
        } finally {
            lock.unlock();
        }
    }

    private ByteBuf takeOwn() throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            int index = engine.nextIndex();
            ByteBuf own = engine.nextBuffer().setIndex(index, index + engine.nextLength());
            takeNext();
            return own;
        } finally {
            lock.unlock();
        }
    }

    private ByteBuf exchange(ByteBuf fresh) throws IOException {
        boolean done = false;
        lock.lock();
        try {
            state.requireOpen();
            int length = engine.nextLength();
            int index = engine.nextIndex();
            ByteBuf full = link.exchange(engine.nextSlot(), fresh);
            done = true;
            full.setIndex(index, index + length);
            takeNext();
            return full;
        } finally {
            lock.unlock();
            if (!done) {
                fresh.release();
            }
        }
    }

    private int copy(ByteBuf into) throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            int before = into.writerIndex();
            readNext(into);
            int bytes = into.writerIndex() - before;
            state.traffic().read(bytes);
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private void takeNext() {
        state.traffic().read(engine.nextLength());
        try {
            engine.takeNext();
            grant();
        } catch (RdmaException | IllegalStateException broken) {
            // The next call reports it, and the bytes are not lost.
            IOException unused = state.failed(broken);
        }
    }

    private void readNext(ByteBuf into) {
        try {
            int unused = engine.read(into, COPIED);
            grant();
        } catch (RdmaException | IllegalStateException broken) {
            IOException unused = state.failed(broken);
        }
    }

    /** Posts the receives again that were read. */
    private void grant() throws RdmaException {
        if (state.isUsable()) {
            state.answer();
        }
    }
}
