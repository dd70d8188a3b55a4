// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.rsocket.RsocketDatagramChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A server that sends back one datagram, and the client, which asks again until the answer comes. */
final class DatagramEcho {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private DatagramEcho() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** Returns the text that came back; {@code host} is an address of an RDMA device of this machine. */
    static String run(String host) throws IOException, InterruptedException {
        CompletableFuture<InetSocketAddress> opened = new CompletableFuture<>();
        CompletableFuture<Void> server = CompletableFuture.runAsync(() -> serve(host, opened));
        InetSocketAddress at = opened.join();
        ByteBuffer answer = ByteBuffer.allocate(100);
        try (RsocketDatagramChannel channel = RsocketDatagramChannel.open(new InetSocketAddress(host, 0))) {
            do {
                channel.send(StandardCharsets.UTF_8.encode("Hello, datagram"), at);
            } while (channel.receive(answer, SECOND).isEmpty());
        }
        server.join();
        return StandardCharsets.UTF_8.decode(answer.flip()).toString();
    }

    private static void serve(String host, CompletableFuture<InetSocketAddress> opened) {
        try (RsocketDatagramChannel channel = RsocketDatagramChannel.open(new InetSocketAddress(host, 0))) {
            opened.complete(channel.localAddress());
            ByteBuffer message = ByteBuffer.allocateDirect(2048);
            InetSocketAddress sender = channel.receive(message);
            channel.send(message.flip(), sender);
        } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
        }
    }
}
