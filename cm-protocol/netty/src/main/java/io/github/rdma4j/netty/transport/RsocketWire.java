// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.Stream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FileRegion;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies all bytes. Small buffers that follow each other are joined, because each write is a message of its own to the peer. For one
 * thread.
 */
final class RsocketWire implements ChannelWire {
    private static final int MOST_BUFFERS = 1024;
    private static final long MOST_BYTES = 1 << 20;
    private static final int JOINED = 1 << 16;

    /** A buffer of this size gains nothing from being joined with others. */
    private static final int LARGE = 1 << 14;

    private static final FastThreadLocal<ByteBuffer> JOIN = new FastThreadLocal<>() {
        @Override
        protected ByteBuffer initialValue() {
            return ByteBuffer.allocateDirect(JOINED);
        }
    };

    private final Stream stream;

    RsocketWire(Stream stream) {
        this.stream = stream;
        stream.holdBytes();
    }

    @Override
    public Stream stream() {
        return stream;
    }

    @Override
    public @Nullable ByteBufAllocator registered() {
        return null;
    }

    @Override
    public End write(ChannelOutboundBuffer from, int rounds) throws IOException {
        for (int round = 0; round < rounds; round++) {
            Object message = from.current();
            if (message == null) {
                return End.EMPTY;
            }
            boolean took = message instanceof ByteBuf ? writeBuffers(from) : writeRegion(from, (FileRegion) message);
            if (!took) {
                return End.FULL;
            }
        }
        return from.isEmpty() ? End.EMPTY : End.MORE;
    }

    private boolean writeBuffers(ChannelOutboundBuffer from) throws IOException {
        ByteBuffer[] buffers = from.nioBuffers(MOST_BUFFERS, MOST_BYTES);
        int count = from.nioBufferCount();
        if (count == 0) {
            // The message has no bytes.
            from.remove();
            return true;
        }
        long bytes = gather(buffers, count);
        from.removeBytes(bytes);
        return bytes > 0;
    }

    private long gather(ByteBuffer[] buffers, int count) throws IOException {
        long total = 0;
        int next = 0;
        while (next < count) {
            int joined = countOfSmall(buffers, next, count);
            int bytes;
            boolean all;
            if (joined < 2) {
                bytes = stream.write(buffers[next]);
                all = !buffers[next].hasRemaining();
                next++;
            } else {
                ByteBuffer join = join(buffers, next, joined);
                bytes = stream.write(join);
                all = !join.hasRemaining();
                advance(buffers, next, bytes);
                next += joined;
            }
            total += bytes;
            if (!all) {
                break;
            }
        }
        return total;
    }

    /** The number of small buffers from {@code first} on that fit together. */
    private static int countOfSmall(ByteBuffer[] buffers, int first, int end) {
        int bytes = 0;
        int at = first;
        while (at < end && buffers[at].remaining() < LARGE && bytes + buffers[at].remaining() <= JOINED) {
            bytes += buffers[at].remaining();
            at++;
        }
        return at - first;
    }

    /** Copies, and leaves the positions. */
    private static ByteBuffer join(ByteBuffer[] buffers, int first, int count) {
        ByteBuffer join = JOIN.get().clear();
        int at = 0;
        for (int i = first; i < first + count; i++) {
            int bytes = buffers[i].remaining();
            join.put(at, buffers[i], buffers[i].position(), bytes);
            at += bytes;
        }
        return join.limit(at);
    }

    /** Netty keeps the buffers, and expects their positions where the messages begin. */
    private static void advance(ByteBuffer[] buffers, int first, int bytes) {
        int left = bytes;
        for (int i = first; left > 0; i++) {
            int part = Math.min(left, buffers[i].remaining());
            buffers[i].position(buffers[i].position() + part);
            left -= part;
        }
    }

    @Override
    public void writeLast(ChannelOutboundBuffer from) throws IOException {
        End end = End.MORE;
        while (end == End.MORE) {
            end = write(from, 1);
        }
    }

    @Override
    public @Nullable ByteBuf read(RecvByteBufAllocator.ExtendedHandle handle, ByteBufAllocator alloc)
            throws IOException {
        ByteBuf into = handle.allocate(alloc);
        boolean done = false;
        try {
            int room = into.writableBytes();
            handle.attemptedBytesRead(room);
            int at = into.writerIndex();
            int bytes = stream.read(into.internalNioBuffer(at, room));
            handle.lastBytesRead(bytes);
            done = bytes > 0;
            return done ? into.writerIndex(at + bytes) : null;
        } finally {
            if (!done) {
                into.release();
            }
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return stream.write(from);
    }
}
