// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.SocketChannelConfig;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;

/** Reads from a wire, and gives the buffers to the pipeline. For one thread. */
final class StreamReader {
    private boolean toldReadComplete;

    /** How a read ended. */
    enum End {
        /** There may be more. */
        OPEN,

        /** At the end of the stream. */
        OF_STREAM,

        /** With an exception of the stream or of the allocator, which the pipeline has. */
        FAILED
    }

    /** True if nothing will be read any more, and the pipeline knows. */
    boolean isOver(SocketChannelConfig config, boolean inputShutdown) {
        return inputShutdown && (toldReadComplete || !config.isAllowHalfClosure());
    }

    void tellReadComplete(ChannelPipeline pipeline) {
        if (!toldReadComplete) {
            toldReadComplete = true;
            pipeline.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
        }
    }

    /** Reads as many messages as the handle allows. */
    End read(ChannelWire from, AbstractRdmaChannel channel, RecvByteBufAllocator.ExtendedHandle handle) {
        ChannelConfig config = channel.config();
        ChannelPipeline pipeline = channel.pipeline();
        handle.reset(config);
        Throwable failure = null;
        boolean end = false;
        try {
            do {
                ByteBuf full = from.read(handle, config.getAllocator());
                end = handle.lastBytesRead() < 0;
                if (full == null) {
                    break;
                }
                handle.incMessagesRead(1);
                channel.readEnded();
                pipeline.fireChannelRead(full);
            } while (handle.continueReading());
        } catch (ClosedChannelException closed) {
            // A handler has closed the channel, and knows.
        } catch (IOException | RuntimeException | Error e) { // an Error also if Netty's direct memory is used up
            failure = e;
        }
        if (end) {
            channel.readEnded();
        }
        handle.readComplete();
        pipeline.fireChannelReadComplete();
        if (failure != null) {
            pipeline.fireExceptionCaught(failure);
            return End.FAILED;
        }
        return end ? End.OF_STREAM : End.OPEN;
    }
}
