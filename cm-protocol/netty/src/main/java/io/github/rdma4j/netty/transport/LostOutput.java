// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.FileRegion;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a channel whose peer is gone. What has come before is to be read first, and then the end, as over TCP,
 * where the first writes succeed, because their bytes are only lost on the way. For one thread.
 */
final class LostOutput {
    private @Nullable IOException why;

    /** The bytes of the writes that succeeded. */
    private long dropped;

    boolean isLost() {
        return why != null;
    }

    /** Writes fail with {@code cause} as soon as the pipeline knows of the end. */
    void lose(IOException cause) {
        why = cause;
    }

    /**
     * Drops flushed messages.
     *
     * @param most the bytes that are dropped in all, as many as a socket takes for a peer that does not answer; 0 if the
     *     pipeline knows of the end
     * @param goesOn the pipeline reads on, and will soon know of the end: further messages wait for it
     * @throws IOException if the others are to fail
     */
    ChannelWire.End write(ChannelOutboundBuffer from, int most, boolean goesOn) throws IOException {
        drop(from, most);
        if (!from.isEmpty() && why != null && !goesOn) {
            throw why;
        }
        return from.isEmpty() ? ChannelWire.End.EMPTY : ChannelWire.End.FULL;
    }

    private void drop(ChannelOutboundBuffer from, int most) {
        for (Object next = from.current(); next != null && fits(next, most); next = from.current()) {
            boolean unused = from.remove();
        }
    }

    private boolean fits(Object message, int most) {
        long bytes = message instanceof FileRegion region
                ? region.count() - region.transferred()
                : ((ByteBuf) message).readableBytes();
        boolean fits = dropped + bytes <= most;
        dropped += fits ? bytes : 0;
        return fits;
    }
}
