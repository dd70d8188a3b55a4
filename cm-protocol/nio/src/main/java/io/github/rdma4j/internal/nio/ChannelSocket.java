// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A channel as a socket. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // its state is the channel's
final class ChannelSocket extends Socket {
    private static final int MAX_TRAFFIC_CLASS = 255;

    private final StreamSocketChannel channel;
    private final ChannelImpl<StreamSocketChannel> options;

    private ChannelSocket(StreamSocketChannel channel, ChannelImpl<StreamSocketChannel> options)
            throws SocketException {
        super(options);
        this.channel = channel;
        this.options = options;
    }

    static ChannelSocket of(StreamSocketChannel channel) {
        try {
            return new ChannelSocket(channel, new ChannelImpl<>(channel));
        } catch (SocketException e) {
            throw new AssertionError("the socket below does nothing", e);
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(@Nullable SocketAddress remote, int millis) throws IOException {
        if (remote == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        if (millis < 0) {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        try {
            // The result of a channel that blocks is true.
            boolean connected = channel.connect(remote, Sleep.nanos(millis), true);
            assert connected;
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw SocketExceptions.of(e, true);
        }
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    public void bind(@Nullable SocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw SocketExceptions.of(e, false);
        }
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.isOpen() ? channel.local() : null;
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return channel.remote();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return isBound() ? new InetSocketAddress(getLocalAddress(), getLocalPort()) : null;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        checkConnected();
        if (isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new Input();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        checkConnected();
        if (isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new Output();
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (Objects.checkFromIndexSize(offset, length, target.length) == offset && length == 0) {
                return 0;
            }
            checkOpen();
            return channel.transfers().readLimited(ByteBuffer.wrap(target, offset, length), options.nanos());
        }

        @Override
        public int available() throws IOException {
            return channel.link().available();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            channel.transfers().writeFully(ByteBuffer.wrap(source, offset, length));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private void checkOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    private void checkConnected() throws SocketException {
        checkOpen();
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        super.setSoLinger(on && seconds >= 0, seconds);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        try {
            channel.transfers().writeUrgent((byte) data);
        } catch (IOException | IllegalStateException e) {
            throw SocketExceptions.of(e, false);
        }
    }

    @Override
    public void setSendBufferSize(int bytes) throws SocketException {
        super.setSendBufferSize(positive(bytes));
    }

    static int positive(int bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("Invalid send/receive buffer size: " + bytes + "; it is 1 or more");
        }
        return bytes;
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        super.setReceiveBufferSize(positive(bytes));
    }

    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        if (trafficClass < 0 || trafficClass > MAX_TRAFFIC_CLASS) {
            throw new IllegalArgumentException(
                    "The traffic class is 0 to " + MAX_TRAFFIC_CLASS + ", not " + trafficClass);
        }
        checkOpen();
        // Some versions of the JDK's method swallow the failure of a socket that is connected.
        options.setOption(SocketOptions.IP_TOS, trafficClass);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    public void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (IllegalStateException e) {
            throw SocketExceptions.of(e, false);
        }
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (IllegalStateException e) {
            throw SocketExceptions.of(e, false);
        }
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
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
    public boolean isInputShutdown() {
        return channel.transfers().isInputClosed();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.transfers().isOutputClosed();
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
        SocketChannel same = channel.setOption(name, value);
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
        InetSocketAddress remote = isConnected() ? channel.remote() : null;
        return remote == null
                ? "Socket[unconnected]"
                : "Socket[addr=" + remote.getAddress() + ",port=" + remote.getPort() + ",localport=" + getLocalPort()
                        + "]";
    }
}
