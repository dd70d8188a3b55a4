// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Channels of TCP; a client's channel hangs when it is closed. */
final class HangingProvider extends SelectorProvider {
    private final SelectorProvider tcp = SelectorProvider.provider();
    private final Where where;

    HangingProvider(Where where) {
        this.where = where;
    }

    /** Where the threads wait. */
    enum Where {
        /** The one that closes, for ever. */
        CLOSE,
        /** The one that reads what the other side has closed. */
        READ
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return new HangingChannel(this, tcp.openSocketChannel(), where);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return tcp.openServerSocketChannel();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return tcp.openSelector();
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return tcp.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return tcp.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return tcp.openPipe();
    }

    private static final class HangingChannel extends SocketChannel {
        private final SocketChannel channel;
        private final Where where;

        HangingChannel(SelectorProvider provider, SocketChannel channel, Where where) {
            super(provider);
            this.channel = channel;
            this.where = where;
        }

        /** Heeds no interrupt. */
        private void hangAt(Where here) {
            CountDownLatch never = new CountDownLatch(1);
            while (where == here) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    // As a thread in the kernel.
                }
            }
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            hangAt(Where.READ);
            return channel.read(target);
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            hangAt(Where.READ);
            return channel.read(targets, offset, length);
        }

        @Override
        protected void implCloseSelectableChannel() throws IOException {
            hangAt(Where.CLOSE);
            channel.close();
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return channel.write(source);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            return channel.write(sources, offset, length);
        }

        @Override
        protected void implConfigureBlocking(boolean blocks) throws IOException {
            channel.configureBlocking(blocks);
        }

        @Override
        public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
            channel.bind(local);
            return this;
        }

        @Override
        public boolean connect(SocketAddress remote) throws IOException {
            return channel.connect(remote);
        }

        @Override
        public boolean finishConnect() throws IOException {
            return channel.finishConnect();
        }

        @Override
        public boolean isConnected() {
            return channel.isConnected();
        }

        @Override
        public boolean isConnectionPending() {
            return channel.isConnectionPending();
        }

        @Override
        public SocketChannel shutdownInput() throws IOException {
            channel.shutdownInput();
            return this;
        }

        @Override
        public SocketChannel shutdownOutput() throws IOException {
            channel.shutdownOutput();
            return this;
        }

        @Override
        public Socket socket() {
            return channel.socket();
        }

        @Override
        public SocketAddress getLocalAddress() throws IOException {
            return channel.getLocalAddress();
        }

        @Override
        public SocketAddress getRemoteAddress() throws IOException {
            return channel.getRemoteAddress();
        }

        @Override
        public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
            channel.setOption(option, value);
            return this;
        }

        @Override
        public <T> T getOption(SocketOption<T> option) throws IOException {
            return channel.getOption(option);
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return channel.supportedOptions();
        }
    }
}
