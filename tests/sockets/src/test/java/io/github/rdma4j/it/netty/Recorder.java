// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.support.Await;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Writes down what happens to a channel. */
final class Recorder extends SimpleChannelInboundHandler<ByteBuf> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CountDownLatch inactive = new CountDownLatch(1);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Object> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile @Nullable Channel channel;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    /** The channel, once the handler is in its pipeline. */
    Channel channel() {
        Channel added = channel;
        if (added == null) {
            throw new IllegalStateException("no channel yet");
        }
        return added;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        byte[] copy = new byte[message.readableBytes()];
        message.readBytes(copy);
        bytes.writeBytes(copy);
        count.addAndGet(copy.length);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        events.add(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failures.add(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        inactive.countDown();
    }

    int count() {
        return count.get();
    }

    /** Waits for a number of bytes, and returns them. */
    byte[] bytes(int expected) {
        Await.until(expected + " bytes, and not " + count, () -> count.get() >= expected);
        return bytes.toByteArray();
    }

    List<Throwable> failures() {
        return failures;
    }

    List<Object> events() {
        return events;
    }

    void awaitInactive() throws InterruptedException {
        if (!inactive.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still active");
        }
    }
}
