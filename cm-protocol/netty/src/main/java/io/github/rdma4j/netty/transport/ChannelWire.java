// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamLife;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FileRegion;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.internal.StringUtil;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** How a connected channel reads and writes; file regions write themselves to it. For one thread. */
interface ChannelWire extends WritableByteChannel {
    /** How a write ended. */
    enum End {
        /** Nothing is left. */
        EMPTY,

        /** Messages are left, and {@link #mayFlush} says when it is their time. */
        FULL,

        /** There is more, and the stream would take more. */
        MORE
    }

    /** Returns {@code message} if it can be written. */
    static Object require(Object message) {
        if (message instanceof ByteBuf || message instanceof FileRegion) {
            return message;
        }
        throw new UnsupportedOperationException("a channel writes ByteBuf and FileRegion, not "
                + StringUtil.simpleClassName(message) + ": add an encoder to the pipeline");
    }

    /** The stream behind the channel. */
    StreamLife stream();

    /** Allocates buffers that are sent without a copy; null if all are copied. */
    @Nullable
    ByteBufAllocator registered();

    /** Writes messages, in at most {@code rounds} rounds. */
    End write(ChannelOutboundBuffer from, int rounds) throws Exception;

    /** True if {@link #write} would do something after it has returned {@link End#FULL}, by what the stream is ready for. */
    default boolean mayFlush(int ready) {
        return (ready & StreamLife.WRITABLE) != 0;
    }

    /** Takes the flushed messages that the stream has room for, before the output ends: nobody calls {@link #write} again. */
    void writeLast(ChannelOutboundBuffer from) throws Exception;

    /** The channel writes no more: messages that the stream has, but are still among those to be written, are to succeed. */
    default void beforeOutputEnds(ChannelOutboundBuffer from) {
        // Most wires remove what they have written at once.
    }

    /**
     * Reads the next bytes into a buffer.
     *
     * @return null if there are none; {@code handle} knows the number of bytes, -1 at the end of the stream
     */
    @Nullable
    ByteBuf read(RecvByteBufAllocator.ExtendedHandle handle, ByteBufAllocator alloc) throws IOException;

    /** Writes of a file region, which is the first message, what the stream takes now; returns false if it takes nothing. */
    default boolean writeRegion(ChannelOutboundBuffer from, FileRegion region) throws IOException {
        long bytes = region.transferred() < region.count() ? region.transferTo(this, region.transferred()) : 0;
        if (bytes > 0) {
            from.progress(bytes);
        }
        if (region.transferred() >= region.count()) {
            from.remove();
            return true;
        }
        return bytes > 0;
    }

    @Override
    default boolean isOpen() {
        return true;
    }

    @Override
    default void close() {
        // The channel closes its stream.
    }
}
