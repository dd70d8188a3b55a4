// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.netty.transport.RdmaEventLoopGroup;
import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;

/** Event loops: with handlers, or with loops of our own where Netty has no handlers. */
final class Loops {
    private static final ThreadFactory THREADS = new DefaultThreadFactory("rdma", true);

    private Loops() {}

    static boolean haveHandlers() {
        try {
            Class.forName("io.netty.channel.IoHandler", false, Loops.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException netty41) {
            return false;
        }
    }

    static EventLoopGroup overRdma(int threads) {
        return haveHandlers()
                ? new MultiThreadIoEventLoopGroup(threads, THREADS, RdmaIoHandler.newFactory())
                : new RdmaEventLoopGroup(threads, THREADS);
    }

    @SuppressWarnings("deprecation") // in Netty 4.2
    static EventLoopGroup overTcp(int threads) {
        return new NioEventLoopGroup(threads, THREADS);
    }
}
