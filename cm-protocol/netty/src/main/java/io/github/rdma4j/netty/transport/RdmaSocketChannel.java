// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamLife;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection over RDMA. The peer may be another channel, with which the channel speaks the native wire; in the protocol of
 * {@code rsocket(7)} it may be an {@link io.github.rdma4j.rsocket.RsocketChannel}, or a C program with rsockets. {@link
 * RdmaChannelOption#WIRE} rules one of them out.
 *
 * <p>The options of sockets mean what they mean for TCP. Buffer sizes take effect on connect. With {@link
 * io.netty.channel.ChannelOption#SO_LINGER} of 0 a close resets the connection; with more it waits, on another thread, until
 * the peer has all bytes, at most so many seconds. What the peer does not have then, and all bytes without the option, leaves in
 * the background, for at most a minute.
 */
public final class RdmaSocketChannel extends AbstractRdmaChannel implements SocketChannel {
    private final SocketConfig config = new SocketConfig(this, this::clearReadPending);
    private final Runnable flush = this::flushAgain;

    private volatile @Nullable ChannelWire wire;
    private volatile @Nullable InetSocketAddress bound;

    /** This side reads no more. */
    private volatile boolean inputShutdown;

    private volatile boolean outputShutdown;

    // For the thread of the event loop.

    private @Nullable PendingConnect connecting;

    /** Messages wait until the stream takes more. */
    private boolean flushPending;

    /** Messages are being written, and their promises may close the channel. */
    private boolean writing;

    private final LostOutput lostOutput = new LostOutput();

    /** Creates a channel that is not connected. */
    public RdmaSocketChannel() {
        super(null);
    }

    RdmaSocketChannel(Channel parent, ChannelWire accepted) {
        super(parent);
        attach(accepted);
    }

    private void attach(ChannelWire connected) {
        wire = connected;
        connected.stream().onChange(this::lookAgain);
    }

    /** The stream; null while the channel is not connected. */
    @Nullable
    StreamLife stream() {
        ChannelWire connected = wire;
        return connected == null ? null : connected.stream();
    }

    private static <T> T connected(@Nullable T part) {
        if (part == null) {
            throw new NotYetConnectedException();
        }
        return part;
    }

    /**
     * Returns an allocator of buffers that the device reads where they are: the channel sends large ones, and slices of them,
     * without a copy. On rsocket's wire, where all bytes are copied, returns {@link #alloc()}.
     *
     * @throws NotYetConnectedException before the channel is active
     */
    public ByteBufAllocator registeredAlloc() {
        ByteBufAllocator registered = connected(wire).registered();
        return registered == null ? alloc() : registered;
    }

    @Override
    public SocketChannelConfig config() {
        return config;
    }

    @Override
    public ServerSocketChannel parent() {
        return (ServerSocketChannel) super.parent();
    }

    @Override
    public boolean isActive() {
        return isOpen() && wire != null;
    }

    @Override
    @Nullable
    InetSocketAddress local() {
        StreamLife current = stream();
        return current == null ? bound : current.localAddress();
    }

    @Override
    @Nullable
    InetSocketAddress remote() {
        StreamLife current = stream();
        return current == null ? null : current.peerAddress();
    }

    /** The kernel sees the address when the channel connects. */
    @Override
    protected void doBind(SocketAddress address) {
        bound = requireInternet(address);
    }

    // The end.

    @Override
    public boolean isInputShutdown() {
        return inputShutdown || !isActive();
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown || !isActive();
    }

    @Override
    public boolean isShutdown() {
        return (inputShutdown && outputShutdown) || !isActive();
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        LoopStep step = () -> {
            doShutdownInput();
            promise.setSuccess();
        };
        return step.in(eventLoop(), promise);
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        LoopStep step = () -> {
            beforeOutputEnds();
            ((AbstractUnsafe) unsafe()).shutdownOutput(promise);
        };
        return step.in(eventLoop(), promise);
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return LoopStep.both(shutdownOutput(), this::shutdownInput, promise);
    }

    private void doShutdownInput() throws IOException {
        StreamLife current = connected(stream());
        inputShutdown = true;
        current.shutdownInput();
    }

    @Override
    protected void doShutdownOutput() throws IOException {
        StreamLife current = connected(stream());
        outputShutdown = true;
        current.shutdownOutput();
    }

    @Override
    protected void doClose() throws IOException {
        if (!markClosed()) {
            return;
        }
        PendingConnect pending = connecting;
        if (pending != null) {
            connecting = null;
            pending.abandon(new ClosedChannelException());
        }
        StreamLife current = stream();
        int linger = config.getSoLinger();
        if (current == null) {
            return;
        }
        if (linger > 0) {
            current.closeAfter(Duration.ofSeconds(linger));
        } else if (linger == 0) {
            current.closeLater(Duration.ZERO);
        } else {
            current.closeInBackground();
        }
    }

    // Writing.

    @Override
    protected Object filterOutboundMessage(Object message) {
        return ChannelWire.require(message);
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
        ChannelWire current = connected(wire);
        writing = true;
        try {
            ChannelWire.End end = lostOutput.isLost() ? afterTheLoss(in) : write(current, in);
            if (end == ChannelWire.End.FULL) {
                flushPending = true;
                lookAgain();
            } else if (end == ChannelWire.End.MORE) {
                // Others have their turn meanwhile.
                eventLoop().execute(flush);
            }
        } finally {
            writing = false;
        }
    }

    private ChannelWire.End write(ChannelWire current, ChannelOutboundBuffer in) throws Exception {
        try {
            return current.write(in, config.getWriteSpinCount());
        } catch (IOException broken) {
            if (!current.stream().isPeerGone()) {
                throw broken; // the connection was reset, or a file is shorter than its region
            }
            lostOutput.lose(broken);
            return afterTheLoss(in);
        }
    }

    private ChannelWire.End afterTheLoss(ChannelOutboundBuffer in) throws IOException {
        boolean goesOn = !inputShutdown && (isReadPending() || ((SocketUnsafe) unsafe()).reading);
        return lostOutput.write(in, inputShutdown ? 0 : config.getSendBufferSize(), goesOn);
    }

    private void flushAgain() {
        ((SocketUnsafe) unsafe()).flush0();
    }

    @Override
    protected void doBeginRead() {
        if (!((SocketUnsafe) unsafe()).reader.isOver(config, inputShutdown)) {
            super.doBeginRead();
        }
    }

    /** Messages that have left, but are still among those to be written, are to succeed. For the thread of the event loop. */
    private void beforeOutputEnds() {
        ChannelWire current = wire;
        ChannelOutboundBuffer left = unsafe().outboundBuffer();
        if (current != null && left != null && isOpen()) {
            if (!writing && !lostOutput.isLost()) {
                writeLast(current, left);
            }
            current.beforeOutputEnds(left);
        }
    }

    private void writeLast(ChannelWire current, ChannelOutboundBuffer left) {
        writing = true;
        try {
            current.writeLast(left);
        } catch (Exception broken) {
            // The channel fails what is left.
        } finally {
            writing = false;
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new SocketUnsafe();
    }

    private final class SocketUnsafe extends RdmaUnsafe {
        private final StreamReader reader = new StreamReader();

        /** The pipeline reads, and may write what it answers. */
        private boolean reading;

        @Override
        public @Nullable StreamLife stream() {
            return isOpen() ? RdmaSocketChannel.this.stream() : null;
        }

        @Override
        public boolean progress() {
            PendingConnect pending = connecting;
            if (pending != null) {
                return finishConnect(pending);
            }
            ChannelWire current = wire;
            if (current == null || !isOpen()) {
                return false;
            }
            int ready = current.stream().ready();
            boolean done = false;
            if (flushPending && current.mayFlush(ready)) {
                flushPending = false;
                super.flush0();
                done = true;
            }
            if (isOpen() && mayRead(ready)) {
                read(current);
                done = true;
            }
            return done;
        }

        /** The end is told also to those who do not read now. */
        private boolean mayRead(int ready) {
            boolean ended = (ready & StreamLife.ENDED) != 0 && !reader.isOver(config, inputShutdown);
            return ended || (isReadPending() && (ready & StreamLife.READABLE) != 0);
        }

        @Override
        protected void flush0() {
            if (!flushPending) {
                super.flush0();
            }
        }

        @Override
        public void close(ChannelPromise promise) {
            beforeOutputEnds();
            super.close(promise);
        }

        // Reading.

        private void read(ChannelWire from) {
            if (reader.isOver(config, inputShutdown)) {
                readEnded();
                return;
            }
            var handle = (RecvByteBufAllocator.ExtendedHandle) recvBufAllocHandle();
            reading = true;
            StreamReader.End end = reader.read(from, RdmaSocketChannel.this, handle);
            reading = false;
            if (end == StreamReader.End.FAILED) {
                close(voidPromise());
            } else if (end == StreamReader.End.OF_STREAM) {
                endInput();
            }
        }

        private void endInput() {
            if (inputShutdown) {
                reader.tellReadComplete(pipeline());
            } else if (config.isAllowHalfClosure()) {
                try {
                    doShutdownInput();
                    pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
                } catch (IOException e) {
                    close(voidPromise());
                }
            } else {
                close(voidPromise());
            }
        }

        // Connecting.

        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            if (promise.isDone() || !ensureOpen(promise)) {
                return;
            }
            try {
                if (connecting != null) {
                    throw new ConnectionPendingException();
                }
                if (wire != null) {
                    throw new AlreadyConnectedException();
                }
                if (local != null) {
                    doBind(local);
                }
                start(requireInternet(remote), promise);
            } catch (RuntimeException e) {
                promise.tryFailure(annotateConnectException(e, remote));
            }
        }

        private void start(InetSocketAddress remote, ChannelPromise promise) {
            PendingConnect pending = new PendingConnect(
                    remote, config.settings(bound), config.wire(), promise, RdmaSocketChannel.this::lookAgain);
            connecting = pending;
            int limit = config.getConnectTimeoutMillis();
            if (limit > 0) {
                pending.timer(eventLoop().schedule(() -> expire(pending, limit), limit, TimeUnit.MILLISECONDS));
            }
            promise.addListener((ChannelFutureListener) done -> {
                if (done.isCancelled()) {
                    close(voidPromise());
                }
            });
        }

        private void expire(PendingConnect pending, int limit) {
            if (connecting == pending
                    && pending.promise()
                            .tryFailure(new ConnectTimeoutException(
                                    "connection timed out after " + limit + " ms: " + pending.remote()))) {
                close(voidPromise());
            }
        }

        private boolean finishConnect(PendingConnect pending) {
            try {
                ChannelWire made = pending.finish();
                if (made == null) {
                    return false;
                }
                attach(made);
            } catch (IOException e) {
                connecting = null;
                pending.stopTimer();
                pending.promise().tryFailure(annotateConnectException(SocketFailures.ofConnect(e), pending.remote()));
                close(voidPromise());
                return true;
            }
            connecting = null;
            pending.stopTimer();
            boolean wanted = pending.promise().trySuccess();
            pipeline().fireChannelActive();
            if (!wanted) {
                close(voidPromise());
            }
            return true;
        }

        @Override
        protected @Nullable Executor prepareToClose() {
            if (isActive() && config.getSoLinger() > 0) {
                doDeregister();
                return GlobalEventExecutor.INSTANCE;
            }
            return null;
        }
    }
}
