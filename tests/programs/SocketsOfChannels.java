// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Sockets as their constructors make them, but of channels: the provider knows of these, and not of the constructors'. */
public final class SocketsOfChannels {
    private static final int BACKLOG = 50;

    private SocketsOfChannels() {}

    public static ServerSocket serverSocket() throws IOException {
        return ServerSocketChannel.open().socket();
    }

    public static ServerSocket serverSocket(int port) throws IOException {
        return serverSocket(port, BACKLOG);
    }

    public static ServerSocket serverSocket(int port, int backlog) throws IOException {
        return serverSocket(port, backlog, null);
    }

    public static ServerSocket serverSocket(int port, int backlog, InetAddress address) throws IOException {
        ServerSocket made = serverSocket();
        made.bind(new InetSocketAddress(address, port), backlog);
        return made;
    }

    public static Socket socket() throws IOException {
        return SocketChannel.open().socket();
    }

    public static Socket socket(String host, int port) throws IOException {
        return socket(InetAddress.getByName(host), port);
    }

    public static Socket socket(InetAddress address, int port) throws IOException {
        return SocketChannel.open(new InetSocketAddress(address, port)).socket();
    }
}
