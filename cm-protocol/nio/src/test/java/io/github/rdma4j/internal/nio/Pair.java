// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Two ends of a connection, and what listens for it. */
record Pair(ServerSocketChannel listener, SocketChannel client, SocketChannel server) implements AutoCloseable {
    static Pair open(SelectorProvider provider, InetAddress host) throws IOException {
        ServerSocketChannel listener = provider.openServerSocketChannel().bind(new InetSocketAddress(host, 0));
        SocketChannel client = provider.openSocketChannel();
        if (!client.connect(listener.getLocalAddress())) {
            throw new AssertionError("a channel that blocks connects");
        }
        return new Pair(listener, client, listener.accept());
    }

    static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads as many bytes as {@code text} has, and returns them as text. */
    static String read(SocketChannel from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        int read = 0;
        while (read >= 0 && buffer.hasRemaining()) {
            read = from.read(buffer);
        }
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
    }

    /** Starts something that waits, and returns once its thread waits for the kernel, or has ended. */
    static <T> Await.Running<T> blocked(Callable<T> work) {
        Await.Running<T> blocked = Await.inThread(work);
        StackTraceElement[] stack = {};
        while (!blocked.isDone() && (stack.length == 0 || !stack[0].isNativeMethod() || !isOfChannels(stack))) {
            stack = blocked.thread().getStackTrace();
        }
        return blocked;
    }

    /** Loading a class is native, too. */
    private static boolean isOfChannels(StackTraceElement[] stack) {
        if (stack[0].getClassName().startsWith("sun.nio.ch.")) {
            return true;
        }
        for (StackTraceElement frame : stack) {
            if (frame.getMethodName().equals("poll") || frame.getMethodName().equals("epollWait")) {
                return true;
            }
        }
        return false;
    }

    static void close(@Nullable Channel channel) throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        close(client);
        close(server);
        close(listener);
    }

    /** A socket that is connected has the options that a program sets. */
    static void assertKeepsOptions(Socket socket) throws SocketException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setOOBInline(true);
        socket.setReuseAddress(true);
        assertThat(socket.getTcpNoDelay()).isTrue();
        assertThat(socket.getKeepAlive()).isTrue();
        assertThat(socket.getOOBInline()).isTrue();
        assertThat(socket.getReuseAddress()).isTrue();
        assertThat(socket.getSoLinger()).isEqualTo(-1);
        socket.setSoLinger(true, 3);
        assertThat(socket.getSoLinger()).isEqualTo(3);
        socket.setSoLinger(false, -1);
        assertThat(socket.getSoLinger()).isEqualTo(-1);
        socket.setTrafficClass(8);
        assertThat(socket.getTrafficClass()).isEqualTo(8);
        socket.setSendBufferSize(9000);
        socket.setReceiveBufferSize(9000);
        assertThat(socket.getSendBufferSize()).isGreaterThanOrEqualTo(9000);
        assertThat(socket.getReceiveBufferSize()).isGreaterThanOrEqualTo(9000);
    }
}
