// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the channels of an event loop of Netty 4.2 over RDMA. With Netty 4.1 use {@link RdmaEventLoopGroup}.
 *
 * <pre>{@code
 * EventLoopGroup group = new MultiThreadIoEventLoopGroup(RdmaIoHandler.newFactory());
 * ...
 *         .group(group)
 *         .channel(RdmaServerSocketChannel.class)
 * }</pre>
 */
public final class RdmaIoHandler implements IoHandler {
    private final Host host;
    private final ChannelLoop loop;

    private RdmaIoHandler(ThreadAwareExecutor executor, long pollingNanos) {
        host = new Host(executor);
        loop = new ChannelLoop(host, pollingNanos);
    }

    /**
     * Returns a factory for the handlers of a group. A loop that has nothing to do polls for 20 microseconds before it
     * sleeps; it does not poll on a machine with fewer than 4 processors.
     */
    public static IoHandlerFactory newFactory() {
        return newFactory(ChannelLoop.defaultPolling());
    }

    /**
     * Returns a factory for the handlers of a group.
     *
     * @param polling how long a loop that has nothing to do polls before it sleeps; zero or more
     */
    public static IoHandlerFactory newFactory(Duration polling) {
        long nanos = ChannelLoop.nanos(polling);
        return executor -> new RdmaIoHandler(executor, nanos);
    }

    @Override
    public int run(IoHandlerContext context) {
        host.context = context;
        return loop.run();
    }

    @Override
    public void wakeup() {
        loop.wakeup();
    }

    @Override
    public IoRegistration register(IoHandle handle) {
        if (!(handle instanceof RdmaIoHandle channel)) {
            throw new IllegalArgumentException("a handler of RDMA has channels of RDMA, not " + handle);
        }
        return new Registration(loop.add(channel.channel()));
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return RdmaIoHandle.class.isAssignableFrom(handleType);
    }

    @Override
    public void prepareToDestroy() {
        loop.closeAll();
    }

    @Override
    public void destroy() {
        loop.destroy();
    }

    /** The event loop. */
    private static final class Host implements ChannelLoop.Host {
        private final ThreadAwareExecutor executor;

        /** Of the round under way. */
        private @Nullable IoHandlerContext context;

        Host(ThreadAwareExecutor executor) {
            this.executor = executor;
        }

        private IoHandlerContext context() {
            return Objects.requireNonNull(context);
        }

        @Override
        public boolean inEventLoop() {
            return executor.isExecutorThread(Thread.currentThread());
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public boolean mayBlock() {
            return context().canBlock();
        }

        @Override
        public long nanosToNextTask() {
            return context().deadlineNanos() == -1 ? -1 : Math.max(0, context().delayNanos(System.nanoTime()));
        }
    }

    /** The place of a channel, as Netty sees it. */
    private record Registration(ChannelLoop.Member member) implements IoRegistration {
        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Netty declares it
        public <T> T attachment() {
            return (T) member;
        }

        @Override
        public long submit(IoOps ops) {
            throw new UnsupportedOperationException("a channel of RDMA submits nothing");
        }

        @Override
        public boolean isValid() {
            return member.isValid();
        }

        @Override
        public boolean cancel() {
            return member.leaveOnce();
        }
    }
}
