// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.netty.MessageStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FileRegion;
import io.netty.channel.RecvByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Sends registered buffers from where they are. For one thread. */
final class NativeWire implements ChannelWire {
    private final MessageStream stream;

    /** Messages wait for the window, and not only until the device has read them. */
    private boolean full;

    NativeWire(MessageStream stream) {
        this.stream = stream;
    }

    @Override
    public MessageStream stream() {
        return stream;
    }

    @Override
    public ByteBufAllocator registered() {
        return stream.registered();
    }

    @Override
    public End write(ChannelOutboundBuffer from, int rounds) throws Exception {
        full = false;
        from.removeBytes(stream.takeCopied());
        if (from.isEmpty()) {
            return End.EMPTY;
        }
        for (int round = 0; round < rounds && !full; round++) {
            if (from.current() instanceof FileRegion region && !stream.isReading()) {
                full = !writeRegion(from, region);
            } else {
                full = !stream.write(from);
                from.removeBytes(stream.takeCopied());
            }
            if (from.isEmpty()) {
                return End.EMPTY;
            }
            if (stream.isReading()) {
                return End.FULL;
            }
        }
        return full ? End.FULL : End.MORE;
    }

    @Override
    public void writeLast(ChannelOutboundBuffer from) throws Exception {
        boolean took = true;
        from.removeBytes(stream.takeWritten());
        while (took && !from.isEmpty()) {
            took = from.current() instanceof FileRegion region ? writeRegion(from, region) : stream.write(from);
            from.removeBytes(stream.takeWritten());
        }
    }

    @Override
    public boolean mayFlush(int ready) {
        return (full && ChannelWire.super.mayFlush(ready)) || stream.hasCopied() || stream.isOutputOver();
    }

    @Override
    public void beforeOutputEnds(ChannelOutboundBuffer from) {
        from.removeBytes(stream.takeWritten());
    }

    @Override
    public @Nullable ByteBuf read(RecvByteBufAllocator.ExtendedHandle handle, ByteBufAllocator alloc)
            throws IOException {
        return stream.read(handle, alloc);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int bytes = stream.write(Unpooled.wrappedBuffer(from));
        from.position(from.position() + bytes);
        return bytes;
    }
}
