// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.nio.RdmaSelectorProvider;
import io.github.rdma4j.nio.RdmaSockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A server that sends back five bytes, and its client: plain sockets over RDMA. */
final class SocketEcho {
    private SocketEcho() {}

    public static void main(String[] args) throws Exception {
        RdmaSelectorProvider provider = RdmaSockets.install();
        System.out.println(run(InetAddress.getByName(args[0])));
        System.out.println(provider);
    }

    /** Returns what came back, and how. */
    static String run(InetAddress host) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, host)) {
            new Thread(() -> serve(listener)).start();
            try (Socket socket = new Socket(host, listener.getLocalPort())) {
                socket.getOutputStream().write("Hello".getBytes(StandardCharsets.UTF_8));
                String echo = new String(socket.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
                return echo + (RdmaSockets.isOverRdma(socket) ? " over RDMA" : " over TCP");
            }
        }
    }

    private static void serve(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            socket.getOutputStream().write(socket.getInputStream().readNBytes(5));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
