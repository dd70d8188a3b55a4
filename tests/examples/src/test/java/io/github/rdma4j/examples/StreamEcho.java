// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A server that sends back the bytes of one client, and the client: a stream as with sockets. */
final class StreamEcho {
    private static final int SIZE = 1024;

    private StreamEcho() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** Returns the text that came back; {@code host} is an address of an RDMA device of this machine. */
    static String run(String host) throws IOException, InterruptedException {
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(host, 0))) {
            CompletableFuture<Void> server = CompletableFuture.runAsync(() -> serve(listener));
            String echo = call(listener.localAddress(), "Hello, stream");
            server.join();
            return echo;
        }
    }

    private static void serve(RsocketListener listener) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
        try (RsocketChannel client = listener.accept()) {
            while (client.read(buffer) >= 0) {
                client.write(buffer.flip());
                buffer.clear();
            }
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static String call(InetSocketAddress server, String text) throws IOException, InterruptedException {
        ByteBuffer answer = ByteBuffer.allocate(SIZE);
        try (RsocketChannel channel = RsocketChannel.connect(server)) {
            channel.write(StandardCharsets.UTF_8.encode(text));
            channel.shutdownOutput();
            while (channel.read(answer) >= 0) {
                // Until the server has closed its end.
            }
        }
        return StandardCharsets.UTF_8.decode(answer.flip()).toString();
    }
}
