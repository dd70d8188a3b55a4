// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamLife;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;
import org.jspecify.annotations.Nullable;

/** A channel with two directions, each of which ends by itself. */
abstract class DuplexRdmaChannel extends AbstractRdmaChannel implements DuplexChannel {
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    DuplexRdmaChannel(@Nullable Channel parent) {
        super(parent);
    }

    /** The stream; null while the channel is not connected. */
    @Nullable
    abstract StreamLife stream();

    static <T> T connected(@Nullable T part) {
        if (part == null) {
            throw new NotYetConnectedException();
        }
        return part;
    }

    /** Messages that have left, but are still among those to be written, are to succeed. For the thread of the event loop. */
    abstract void beforeOutputEnds();

    /** True if this side reads no more. */
    final boolean hasShutInput() {
        return inputShutdown;
    }

    @Override
    public final boolean isInputShutdown() {
        return inputShutdown || !isActive();
    }

    @Override
    public final boolean isOutputShutdown() {
        return outputShutdown || !isActive();
    }

    @Override
    public final boolean isShutdown() {
        return (inputShutdown && outputShutdown) || !isActive();
    }

    @Override
    public final ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public final ChannelFuture shutdownInput(ChannelPromise promise) {
        LoopStep step = () -> {
            doShutdownInput();
            promise.setSuccess();
        };
        return step.in(eventLoop(), promise);
    }

    @Override
    public final ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public final ChannelFuture shutdownOutput(ChannelPromise promise) {
        LoopStep step = () -> {
            beforeOutputEnds();
            ((AbstractUnsafe) unsafe()).shutdownOutput(promise);
        };
        return step.in(eventLoop(), promise);
    }

    @Override
    public final ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public final ChannelFuture shutdown(ChannelPromise promise) {
        return LoopStep.both(shutdownOutput(), this::shutdownInput, promise);
    }

    final void doShutdownInput() throws IOException {
        StreamLife current = connected(stream());
        inputShutdown = true;
        current.shutdownInput();
    }

    @Override
    protected final void doShutdownOutput() throws IOException {
        StreamLife current = connected(stream());
        outputShutdown = true;
        current.shutdownOutput();
    }
}
