// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.internal.PlatformDependent;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** An event loop for channels over RDMA, without a handler of Netty 4.2. */
final class RdmaEventLoop extends SingleThreadEventLoop implements ChannelLoop.Host {
    /** Tasks that go on for longer wait for a round of the channels, as in the loops of Netty 4.2. */
    private static final long TASK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ChannelLoop loop;

    RdmaEventLoop(EventLoopGroup parent, Executor executor, long pollingNanos) {
        super(parent, executor, false);
        loop = new ChannelLoop(this, pollingNanos);
    }

    ChannelLoop.Membership add(ChannelLoop.Looped channel) {
        return loop.add(channel);
    }

    @Override
    protected Queue<Runnable> newTaskQueue(int most) {
        // The loop is the only one that takes tasks, and waits elsewhere.
        return PlatformDependent.newMpscQueue(most);
    }

    @Override
    protected void run() {
        boolean over = false;
        while (!over) {
            loop.run();
            runAllTasks(TASK_NANOS);
            if (isShuttingDown()) {
                // Just before Netty may find that all is done: a channel cannot be closed afterwards.
                loop.closeAll();
                over = confirmShutdown();
            }
        }
    }

    @Override
    protected void wakeup(boolean inEventLoop) {
        loop.wakeup();
    }

    @Override
    protected void cleanup() {
        loop.destroy();
    }

    @Override
    public boolean inEventLoop() {
        return inEventLoop(Thread.currentThread());
    }

    @Override
    public boolean mayBlock() {
        return !hasTasks() && !hasScheduledTasks();
    }

    @Override
    public long nanosToNextTask() {
        return nextScheduledTaskDeadlineNanos() == -1 ? -1 : Math.max(0, delayNanos(System.nanoTime()));
    }
}
