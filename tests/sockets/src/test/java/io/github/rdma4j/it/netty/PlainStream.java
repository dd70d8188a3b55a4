// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.rsocket.RsocketChannel;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A peer that is no channel of Netty's. */
final class PlainStream implements Closeable {
    private @Nullable RsocketChannel channel;

    void connect(InetSocketAddress address) throws IOException {
        try {
            channel = RsocketChannel.connect(address);
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    private RsocketChannel connected() {
        if (channel == null) {
            throw new IllegalStateException("not connected");
        }
        return channel;
    }

    void write(int data) throws IOException {
        int unused = connected().write(ByteBuffer.allocate(1).put(0, (byte) data));
    }

    void shutdownOutput() throws IOException {
        connected().shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        connected().close();
    }
}
