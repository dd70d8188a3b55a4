// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** What both kinds of channels share: the place in an event loop, and whether somebody wants to read. */
abstract class AbstractRdmaChannel extends AbstractChannel {
    /** True for Netty 4.2, false for Netty 4.1. */
    private static final boolean HAS_HANDLERS = hasHandlers();

    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private volatile ChannelLoop.@Nullable Membership membership;
    private volatile boolean closed;

    /** For the thread of the event loop. */
    private boolean readPending;

    AbstractRdmaChannel(@Nullable Channel parent) {
        super(parent);
    }

    @Override
    public final ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public final boolean isOpen() {
        return !closed;
    }

    /** The local address; null while there is none. */
    abstract @Nullable InetSocketAddress local();

    /** The address of the peer; null while there is none. */
    abstract @Nullable InetSocketAddress remote();

    /** Not cached by Netty: the port of an address that was bound before the connect is known afterwards. */
    @Override
    public final @Nullable InetSocketAddress localAddress() {
        return local();
    }

    @Override
    public final @Nullable InetSocketAddress remoteAddress() {
        return remote();
    }

    @Override
    protected final @Nullable SocketAddress localAddress0() {
        return local();
    }

    @Override
    protected final @Nullable SocketAddress remoteAddress0() {
        return remote();
    }

    @Override
    protected final boolean isCompatible(EventLoop loop) {
        return loop instanceof RdmaEventLoop || (HAS_HANDLERS && RdmaIoHandle.isCompatible(loop));
    }

    private static boolean hasHandlers() {
        try {
            Class.forName("io.netty.channel.IoHandler", false, AbstractRdmaChannel.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException old) {
            return false;
        }
    }

    private RdmaUnsafe looped() {
        return (RdmaUnsafe) unsafe();
    }

    /** Netty 4.1 calls this method, and Netty 4.2 the other. */
    @Override
    @SuppressWarnings("deprecation") // in Netty 4.2
    protected final void doRegister() {
        membership = ((RdmaEventLoop) eventLoop()).add(looped());
    }

    @Override
    protected final void doRegister(ChannelPromise promise) {
        if (eventLoop() instanceof RdmaEventLoop) {
            LoopStep step = () -> {
                doRegister();
                promise.setSuccess();
            };
            ChannelPromise unused = step.in(eventLoop(), promise);
        } else {
            RdmaIoHandle.register(eventLoop(), looped(), made -> membership = made, promise);
        }
    }

    @Override
    protected final void doDeregister() {
        ChannelLoop.Membership current = membership;
        if (current != null) {
            current.leave();
        }
    }

    /** Tells the loop that something may have changed. For any thread. */
    final void lookAgain() {
        ChannelLoop.Membership current = membership;
        if (current != null) {
            current.look();
        }
    }

    @Override
    protected void doBeginRead() {
        readPending = true;
        lookAgain();
    }

    final boolean isReadPending() {
        return readPending;
    }

    final void readEnded() {
        readPending = false;
    }

    /** Somebody has switched off that the channel reads by itself. For any thread. */
    final void clearReadPending() {
        if (!isRegistered() || eventLoop().inEventLoop()) {
            readPending = false;
        } else {
            eventLoop().execute(this::readEnded);
        }
    }

    /** The channel is closed; returns false if it was already. */
    final boolean markClosed() {
        boolean first = !closed;
        closed = true;
        // Before the descriptor is closed, and its number another's.
        doDeregister();
        return first;
    }

    @Override
    protected final void doDisconnect() throws Exception {
        doClose();
    }

    static InetSocketAddress requireInternet(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (internet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return internet;
    }

    /** The operations of a channel for its pipeline and its loop. */
    abstract class RdmaUnsafe extends AbstractUnsafe implements ChannelLoop.Looped {
        @Override
        public void close() {
            close(voidPromise());
        }
    }
}
