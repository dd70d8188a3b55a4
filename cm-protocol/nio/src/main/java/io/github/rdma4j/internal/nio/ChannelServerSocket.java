// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A listening channel as a socket. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // its state is the channel's
final class ChannelServerSocket extends ServerSocket {
    private final StreamServerChannel channel;
    private final ChannelImpl<StreamServerChannel> options;

    ChannelServerSocket(StreamServerChannel channel) {
        this(channel, new ChannelImpl<>(channel));
    }

    private ChannelServerSocket(StreamServerChannel channel, ChannelImpl<StreamServerChannel> options) {
        super(options);
        this.channel = channel;
        this.options = options;
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        bind(local, 0);
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    public void bind(@Nullable SocketAddress local, int backlog) throws IOException {
        try {
            channel.bind(local == null ? new InetSocketAddress(0) : local, backlog);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw SocketExceptions.of(e, false);
        }
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress local = channel.local();
        return local == null ? null : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return channel.local();
    }

    @Override
    public Socket accept() throws IOException {
        try {
            long nanos = options.nanos();
            SocketChannel accepted = nanos == Sleep.NO_LIMIT ? channel.accept() : channel.acceptLimited(nanos);
            if (accepted == null) {
                throw new IllegalBlockingModeException();
            }
            return accepted.socket();
        } catch (IOException | IllegalStateException e) {
            throw SocketExceptions.of(e, false);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isBound() {
        return channel.local() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        super.setReceiveBufferSize(ChannelSocket.positive(bytes));
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        ServerSocketChannel same = channel.setOption(name, value);
        assert same == channel;
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return isBound()
                ? "ServerSocket[addr=" + getInetAddress() + ",localport=" + getLocalPort() + "]"
                : "ServerSocket[unbound]";
    }
}
