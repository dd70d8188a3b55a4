// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.EventLoop;
import io.netty.channel.MultithreadEventLoopGroup;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Event loops for channels over RDMA, for programs with Netty 4.1. It works with Netty 4.2 too, whose programs may also use
 * {@link RdmaIoHandler}.
 *
 * <pre>{@code
 * EventLoopGroup group = new RdmaEventLoopGroup();
 * ...
 *         .group(group)
 *         .channel(RdmaServerSocketChannel.class)
 * }</pre>
 *
 * <p>A loop that has nothing to do polls for 20 microseconds before it sleeps; it does not poll on a machine with fewer than 4
 * processors.
 */
public final class RdmaEventLoopGroup extends MultithreadEventLoopGroup {
    /** Makes as many loops as Netty makes by default, with threads of Netty's. */
    public RdmaEventLoopGroup() {
        this(0);
    }

    /**
     * Makes loops with threads of Netty's.
     *
     * @param loops their number; 0 for Netty's default
     */
    public RdmaEventLoopGroup(int loops) {
        super(loops, (ThreadFactory) null, ChannelLoop.defaultPolling().toNanos());
    }

    /**
     * Makes loops with threads of a factory.
     *
     * @param loops their number; 0 for Netty's default
     */
    public RdmaEventLoopGroup(int loops, ThreadFactory threads) {
        this(loops, threads, ChannelLoop.defaultPolling());
    }

    /**
     * Makes loops that poll for a time of the program's choice.
     *
     * @param loops their number; 0 for Netty's default
     * @param polling how long a loop that has nothing to do polls before it sleeps; zero or more
     */
    public RdmaEventLoopGroup(int loops, ThreadFactory threads, Duration polling) {
        super(loops, threads, ChannelLoop.nanos(polling));
    }

    @Override
    protected EventLoop newChild(Executor executor, Object... arguments) {
        return new RdmaEventLoop(this, executor, (Long) arguments[0]);
    }
}
