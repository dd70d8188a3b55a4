// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A plain socket that connects, or that was accepted. */
final class PlainStream extends PlainSocket<StreamSocketChannel> {
    /** A read has found the end: as in the JDK, later reads do too, also when the socket is closed. */
    private volatile boolean ended;

    PlainStream(Opening<StreamSocketChannel> opening) {
        super(opening);
    }

    @Override
    @Nullable
    InetSocketAddress local(StreamSocketChannel channel) {
        return channel.local();
    }

    /** Becomes the end of a new connection. */
    void adopt(StreamSocketChannel accepted) {
        InetSocketAddress remote = Objects.requireNonNull(accepted.remote());
        address = remote.getAddress();
        port = remote.getPort();
        setLocal(accepted);
        use(accepted);
    }

    @Override
    protected void connect(String host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(InetAddress host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int millis) throws IOException {
        if (!(remote instanceof InetSocketAddress inet)) {
            throw new IOException("Unsupported address type");
        }
        if (inet.isUnresolved()) {
            throw new UnknownHostException(inet.getHostString());
        }
        boolean isThisMachine = inet.getAddress().isAnyLocalAddress();
        address = isThisMachine ? InetAddress.getLocalHost() : inet.getAddress();
        port = inet.getPort();
        StreamSocketChannel through = openChannel();
        try {
            boolean connected = through.connect(new InetSocketAddress(address, port), Sleep.nanos(millis), true);
            assert connected;
            setLocal(through);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            close();
            boolean isInterrupt = e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
            throw isInterrupt
                    ? new SocketException("Closed by interrupt")
                    : SocketExceptions.plain(e, through.isOpen());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    protected void bind(InetAddress host, int toPort) throws IOException {
        by(channel(), channel -> channel.bind(new InetSocketAddress(host, toPort)));
        setLocal(channel());
    }

    @Override
    protected InputStream getInputStream() {
        return new Input();
    }

    @Override
    protected OutputStream getOutputStream() {
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
            ByteBuffer room =
                    ByteBuffer.wrap(target, Objects.checkFromIndexSize(offset, length, target.length), length);
            return length == 0 ? 0 : PlainStream.this.read(room);
        }

        @Override
        public int available() throws IOException {
            return PlainStream.this.available();
        }

        @Override
        public void close() throws IOException {
            PlainStream.this.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            PlainStream.this.write(
                    ByteBuffer.wrap(source, Objects.checkFromIndexSize(offset, length, source.length), length));
        }

        @Override
        public void close() throws IOException {
            PlainStream.this.close();
        }
    }

    private int read(ByteBuffer target) throws IOException {
        if (ended) {
            return -1;
        }
        StreamSocketChannel through = channel();
        try {
            int count = through.transfers().readLimited(target, nanos());
            if (count < 0) {
                ended = true;
            }
            return count;
        } catch (IOException | IllegalStateException e) {
            throw SocketExceptions.plain(e, through.isOpen());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private void write(ByteBuffer source) throws IOException {
        if (!source.hasRemaining()) {
            return;
        }
        StreamSocketChannel through = channel();
        try {
            through.transfers().writeFully(source);
        } catch (IOException | IllegalStateException e) {
            throw SocketExceptions.plain(e, through.isOpen());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    protected int available() throws IOException {
        return by(
                openChannel(),
                channel ->
                        channel.transfers().isInputClosed() ? 0 : channel.link().available());
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    protected void shutdownInput() throws IOException {
        by(channel(), StreamSocketChannel::shutdownInput);
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    protected void shutdownOutput() throws IOException {
        by(channel(), StreamSocketChannel::shutdownOutput);
    }

    @Override
    protected boolean supportsUrgentData() {
        return true;
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    protected void sendUrgentData(int data) throws IOException {
        by(channel(), channel -> {
            channel.transfers().writeUrgent((byte) data);
            return channel;
        });
    }
}
