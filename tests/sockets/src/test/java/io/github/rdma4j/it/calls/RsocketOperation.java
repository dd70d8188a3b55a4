// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A message of 64 bytes from one end to the other, without a wait. */
final class RsocketOperation implements CountedOperations.Operation {
    private static final int BYTES = 64;

    private final RsocketListener listener;
    private final RsocketChannel client;
    private final RsocketChannel server;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);

    RsocketOperation(String host) throws Exception {
        listener = RsocketListener.listen(new InetSocketAddress(host, 0));
        client = RsocketChannel.connect(listener.localAddress()).configureBlocking(false);
        server = listener.accept(Duration.ofSeconds(10)).orElseThrow().configureBlocking(false);
    }

    @Override
    public void once() throws Exception {
        bytes.clear();
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
        bytes.clear();
        while (bytes.hasRemaining()) {
            if (server.read(bytes) < 0) {
                throw new AssertionError("the end");
            }
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        listener.close();
    }
}
