// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

import io.github.rdma4j.internal.nio.Rules;
import io.github.rdma4j.internal.nio.StreamProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * Where plain sockets come from, and where they meet.
 *
 * @param name of the transport
 * @param sockets what is below them; null for the JDK's
 */
public record Ends(String name, InetAddress host, @Nullable StreamProvider sockets) {
    private static final String RDMA = "RDMA";

    /** The JDK's sockets. */
    public static Ends tcp(InetAddress host) {
        return new Ends("TCP", host, null);
    }

    /** Sockets over RDMA, and never over TCP. */
    public static Ends rdma(InetAddress host) {
        return ours(RDMA, host, "rdma *");
    }

    /** Sockets of this project by a rule. */
    static Ends ours(String name, InetAddress host, String rule) {
        return new Ends(name, host, new StreamProvider(Rules.parse(name, rule, "fallback none"), null));
    }

    Socket socket() throws IOException {
        return sockets == null ? new Socket() : new Made(sockets);
    }

    ServerSocket listener() throws IOException {
        return sockets == null ? new ServerSocket() : new MadeListener(sockets);
    }

    /** Fails if the socket goes another way. */
    void check(Socket socket) throws IOException {
        if (StreamProvider.isOverRdma(socket) != name.equals(RDMA)) {
            throw new AssertionError(socket + " does not go over " + this);
        }
    }

    private static final class Made extends Socket {
        Made(StreamProvider sockets) throws IOException {
            super(sockets.plainStream());
        }
    }

    private static final class MadeListener extends ServerSocket {
        private final StreamProvider sockets;

        MadeListener(StreamProvider sockets) {
            super(sockets.plainListener());
            this.sockets = sockets;
        }

        @Override
        public Socket accept() throws IOException {
            Socket accepted = new Made(sockets);
            implAccept(accepted);
            return accepted;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
