// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.netty.MessageMaking;
import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamLife;
import io.github.rdma4j.internal.rsocket.StreamListener;
import io.github.rdma4j.internal.rsocket.StreamMaking;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections over RDMA: of {@link RdmaSocketChannel}s, and of programs with {@code rsocket(7)}; {@link
 * RdmaChannelOption#WIRE} rules one of them out.
 *
 * <p>Connections are accepted in the background, so a client connects, and may write, before the channel reads. At most
 * {@link io.netty.channel.ChannelOption#SO_BACKLOG} connections wait, 128 by default, each with its buffers; further clients
 * are refused. The options for buffer sizes and keepalive of the listening channel are those of the connections.
 */
public final class RdmaServerSocketChannel extends AbstractRdmaChannel implements ServerSocketChannel {
    private final ServerSocketConfig config = new ServerSocketConfig(this, this::clearReadPending);
    private volatile @Nullable StreamListener<StreamLife> listener;

    /** Creates a channel that does not listen yet. */
    public RdmaServerSocketChannel() {
        super(null);
    }

    @Override
    public ServerSocketChannelConfig config() {
        return config;
    }

    @Override
    public boolean isActive() {
        return isOpen() && listener != null;
    }

    @Override
    @Nullable
    InetSocketAddress local() {
        StreamListener<StreamLife> started = listener;
        return started == null ? null : started.address();
    }

    @Override
    @Nullable
    InetSocketAddress remote() {
        return null;
    }

    @Override
    protected void doBind(SocketAddress address) throws Exception {
        try {
            StreamSettings settings = config.settings();
            RdmaWire wire = config.wire();
            StreamListener<StreamLife> started = StreamListener.listen(
                    requireInternet(address),
                    Math.max(1, config.getBacklog()),
                    settings,
                    data -> making(data, wire, settings));
            listener = started;
            started.onShortage(this::ranOut);
            started.onChange(this::lookAgain);
        } catch (RdmaException e) {
            throw SocketFailures.ofBind(e);
        }
    }

    private static @Nullable StreamMaking<?> making(byte[] data, RdmaWire wire, StreamSettings settings) {
        if (wire != RdmaWire.RSOCKET && MessageMaking.isOffered(data)) {
            return new MessageMaking(settings);
        }
        return wire != RdmaWire.NATIVE && ConnData.isValid(data) ? Stream.making(settings) : null;
    }

    /** Descriptors, memory or queue pairs are used up: the pipeline hears of it, and clients are refused. */
    private void ranOut(Throwable why) {
        eventLoop().execute(() -> pipeline().fireExceptionCaught(why));
    }

    @Override
    protected void doClose() throws Exception {
        StreamListener<StreamLife> started = listener;
        if (markClosed() && started != null) {
            started.close();
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
        throw new UnsupportedOperationException("a listening channel does not write");
    }

    @Override
    protected Object filterOutboundMessage(Object msg) {
        throw new UnsupportedOperationException("a listening channel does not write");
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new AcceptUnsafe();
    }

    private final class AcceptUnsafe extends RdmaUnsafe {
        @Override
        public @Nullable StreamLife stream() {
            return null;
        }

        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            safeSetFailure(promise, new UnsupportedOperationException("a listening channel does not connect"));
        }

        @Override
        public boolean progress() {
            StreamListener<StreamLife> started = listener;
            if (!isReadPending() || !isActive() || started == null || !started.isReady()) {
                return false;
            }
            acceptAll(started);
            return true;
        }

        private void acceptAll(StreamListener<StreamLife> started) {
            var handle = recvBufAllocHandle();
            handle.reset(config);
            IOException failure = null;
            try {
                StreamLife accepted;
                do {
                    accepted = started.poll();
                    if (accepted != null) {
                        handle.incMessagesRead(1);
                        readEnded();
                        pipeline()
                                .fireChannelRead(new RdmaSocketChannel(
                                        RdmaServerSocketChannel.this, PendingConnect.wire(accepted)));
                    }
                } while (accepted != null && handle.continueReading());
            } catch (ClosedChannelException closed) {
                // A handler has closed the channel, and knows.
            } catch (IOException e) {
                failure = e;
            }
            handle.readComplete();
            pipeline().fireChannelReadComplete();
            if (failure != null) {
                // The listener is gone for good, with its device.
                pipeline().fireExceptionCaught(failure);
                close(voidPromise());
            }
        }
    }
}
