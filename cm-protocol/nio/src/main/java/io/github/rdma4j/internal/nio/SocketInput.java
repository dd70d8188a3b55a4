// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The input of a socket over a channel. */
final class SocketInput extends InputStream {
    private final StreamSocketChannel channel;
    private final Limit limit;

    /** The limit of a read in milliseconds, 0 for none. */
    interface Limit {
        int millis() throws SocketException;
    }

    SocketInput(StreamSocketChannel channel, Limit limit) {
        this.channel = channel;
        this.limit = limit;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (Objects.checkFromIndexSize(offset, length, target.length) == offset && length == 0) {
            return 0;
        }
        long nanos = ChannelSocket.nanos(limit.millis());
        return channel.transfers().readLimited(ByteBuffer.wrap(target, offset, length), nanos);
    }

    @Override
    public int available() throws IOException {
        return channel.link().available();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
