// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

/** Two plain sockets that are connected, for scenarios. */
public abstract class PlainPairScenarios {
    static final int LONG = 60_000;

    private final Kind kind;
    final InetAddress host;

    @AutoClose
    ServerSocket listener;

    @AutoClose
    Socket client;

    @AutoClose
    Socket server;

    /** Where plain sockets come from. */
    public interface Kind {
        Socket socket() throws IOException;

        ServerSocket listener() throws IOException;

        /** Those of {@code new}. */
        Kind JDK = new Kind() {
            @Override
            public Socket socket() {
                return new Socket();
            }

            @Override
            public ServerSocket listener() throws IOException {
                return new ServerSocket();
            }
        };

        /** Those of this project, without a factory for the whole JVM. */
        static Kind of(StreamProvider sockets) {
            return new Kind() {
                @Override
                public Socket socket() throws IOException {
                    return new Made(sockets);
                }

                @Override
                public ServerSocket listener() {
                    return new MadeListener(sockets);
                }
            };
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
            if (isClosed() || !isBound()) {
                return super.accept();
            }
            Socket accepted = new Made(sockets);
            implAccept(accepted);
            return accepted;
        }
    }

    PlainPairScenarios(Kind kind, InetAddress host) {
        this.kind = kind;
        this.host = host;
    }

    Socket socket() throws IOException {
        return kind.socket();
    }

    ServerSocket unboundListener() throws IOException {
        return kind.listener();
    }

    @BeforeEach
    void connect() throws IOException {
        listener = kind.listener();
        listener.bind(new InetSocketAddress(host, 0));
        client = socket();
        client.connect(listener.getLocalSocketAddress());
        server = listener.accept();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static String read(InputStream from, int length) throws IOException {
        return new String(from.readNBytes(length), StandardCharsets.US_ASCII);
    }
}
