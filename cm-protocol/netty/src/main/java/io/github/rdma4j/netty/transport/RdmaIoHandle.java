// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.util.function.Consumer;

/** A channel as a handler of Netty 4.2 sees it. A program with Netty 4.1, which has no handlers, never loads this class. */
final class RdmaIoHandle implements IoHandle {
    private final ChannelLoop.Looped channel;

    private RdmaIoHandle(ChannelLoop.Looped channel) {
        this.channel = channel;
    }

    static boolean isCompatible(EventLoop loop) {
        return loop instanceof IoEventLoop io && io.isCompatible(RdmaIoHandle.class);
    }

    /** Registers a channel with the handler of {@code loop}, and gives its place to {@code registered}, or fails the promise. */
    static void register(
            EventLoop loop,
            ChannelLoop.Looped channel,
            Consumer<ChannelLoop.Membership> registered,
            ChannelPromise promise) {
        GenericFutureListener<Future<IoRegistration>> done = made -> {
            if (made.isSuccess()) {
                registered.accept(new Place(made.getNow(), made.getNow().attachment()));
                promise.setSuccess();
            } else {
                promise.setFailure(made.cause());
            }
        };
        ((IoEventLoop) loop).register(new RdmaIoHandle(channel)).addListener(done);
    }

    ChannelLoop.Looped channel() {
        return channel;
    }

    @Override
    public void handle(IoRegistration of, IoEvent event) {
        boolean unused = channel.progress();
    }

    @Override
    public void close() {
        channel.close();
    }

    /** Leaves by Netty's registration, which counts. */
    private record Place(IoRegistration registration, ChannelLoop.Membership member) implements ChannelLoop.Membership {
        @Override
        public void look() {
            member.look();
        }

        @Override
        public void leave() {
            boolean unused = registration.cancel();
        }
    }
}
