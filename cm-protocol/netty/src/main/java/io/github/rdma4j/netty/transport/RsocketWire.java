// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.Stream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.RecvByteBufAllocator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Copies all bytes. For one thread. */
final class RsocketWire implements ChannelWire {
    private final Stream stream;
    private final StreamWriter writer;

    RsocketWire(Stream stream) {
        this.stream = stream;
        this.writer = new StreamWriter(stream);
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
        return writer.write(from, rounds);
    }

    @Override
    public void writeLast(ChannelOutboundBuffer from) throws IOException {
        End end = End.MORE;
        while (end == End.MORE) {
            end = writer.write(from, 1);
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
}
