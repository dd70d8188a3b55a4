// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The output of a socket over a channel. */
final class SocketOutput extends OutputStream {
    private final StreamSocketChannel channel;

    SocketOutput(StreamSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        channel.transfers().writeFully(ByteBuffer.wrap(source, offset, length));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
