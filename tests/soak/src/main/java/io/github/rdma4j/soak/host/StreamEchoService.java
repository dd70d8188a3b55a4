// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** The echo server of streams, with a thread for each client. After a device removal it listens again. */
final class StreamEchoService implements Service {
    /** Small buffers: the process may lock little memory. */
    static final RsocketOptions OPTIONS = RsocketOptions.builder()
            .receiveBuffer(StreamClient.ROUND)
            .sendBuffer(StreamClient.ROUND)
            .receiveQueue(64)
            .sendQueue(64)
            .build();

    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int BACKLOG = 16;

    private final InetSocketAddress address;

    StreamEchoService(InetSocketAddress address) {
        this.address = address;
    }

    @Override
    public void start() throws IOException, InterruptedException {
        Threads.listen("stream echo", this::listen, StreamEchoService::acceptAll);
    }

    private RsocketListener listen() throws RdmaException {
        return RsocketListener.listen(address, BACKLOG, OPTIONS);
    }

    private static void acceptAll(RsocketListener listener) throws IOException, InterruptedException {
        try (listener) {
            while (true) {
                RsocketChannel client = listener.accept();
                try {
                    Threads.start("stream echo", () -> serve(client));
                } catch (OutOfMemoryError e) {
                    client.close();
                    throw e;
                }
            }
        }
    }

    private static void serve(RsocketChannel client) {
        try (client) {
            ByteBuffer bytes = ByteBuffer.allocate(StreamClient.ROUND);
            int read = client.read(bytes, IDLE);
            while (read > 0) {
                client.write(bytes.flip());
                read = client.read(bytes.clear(), IDLE);
            }
        } catch (IOException | OutOfMemoryError e) {
            Log.say("stream echo: ", e);
        }
    }
}
