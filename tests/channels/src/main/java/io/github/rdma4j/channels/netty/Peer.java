// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.netty;

import io.github.rdma4j.channels.Numbered;
import io.github.rdma4j.channels.Team;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** A side of a program: the end of its pipeline, and what the program does with the channel. */
final class Peer extends ChannelInboundHandlerAdapter {
    private static final int READ_EVERY_MILLIS = 3;
    private static final int PARTS = 3;

    private final Spec spec;
    private final Numbered out;
    private final Numbered in;
    private final Team team;
    private final CountDownLatch active = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);
    private final AtomicLong received = new AtomicLong();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<ChannelFuture> writes = new ArrayList<>();
    private volatile Channel channel;
    private volatile boolean holdsReads;
    private long written;

    @SuppressWarnings("NullAway.Init") // the channel comes with the first event
    Peer(Spec spec, Numbered out, Numbered in, Team team) {
        this.spec = spec;
        this.out = out;
        this.in = in;
        this.team = team;
    }

    private void event(String event) {
        events.add(event);
        team.step();
    }

    @Override
    public void channelRegistered(ChannelHandlerContext context) {
        channel = context.channel();
        event("registered");
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        event("active");
        active.countDown();
        readSoon(context);
    }

    private void readSoon(ChannelHandlerContext context) {
        if (spec.reading() == Spec.Reading.CALLS) {
            Future<?> unused =
                    context.executor().schedule(() -> readNow(context), READ_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void readNow(ChannelHandlerContext context) {
        if (holdsReads) {
            readSoon(context);
        } else if (context.channel().isRegistered()) {
            context.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        ByteBuffer bytes = ByteBuffer.allocate(buffer.readableBytes());
        buffer.readBytes(bytes);
        buffer.release();
        if (in.right(bytes, 0, received.get()) != bytes.position()) {
            event("a wrong byte behind " + received);
        }
        received.addAndGet(bytes.position());
        team.step();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        readSoon(context);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        // Whether it comes before the channel is closed is left to chance.
        if (!(event instanceof ChannelInputShutdownReadComplete)) {
            event(event.getClass().getSimpleName());
        }
        if (event instanceof ChannelInputShutdownEvent) {
            ended.countDown();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        event("exception " + Team.text(cause));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        event("inactive");
        ended.countDown();
    }

    @Override
    public void channelUnregistered(ChannelHandlerContext context) {
        event("unregistered");
        gone.countDown();
    }

    Channel awaitActive() throws InterruptedException {
        active.await();
        return channel;
    }

    /** Waits for the end of the input, or of the channel. */
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    void awaitGone() throws InterruptedException {
        gone.await();
    }

    void awaitBytes(long count) throws InterruptedException {
        while (received.get() < count) {
            if (gone.await(1, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    /** From now on nothing is read, or everything again. */
    void hold(boolean holds) {
        holdsReads = holds;
        if (spec.reading() != Spec.Reading.CALLS) {
            channel.config().setAutoRead(!holds);
        }
    }

    /** Writes, and flushes if the act does. */
    void act(Act act) throws InterruptedException {
        boolean switches = act.switches() && spec.reading() == Spec.Reading.SWITCHED;
        if (switches) {
            hold(true);
        }
        Thread.sleep(act.pauseMillis());
        if (switches) {
            hold(false);
        }
        inLoop(act.isInLoop(), () -> {
            for (int i = 0; i < act.count(); i++) {
                Object message = message(act);
                keep(act.flushesEach() ? channel.writeAndFlush(message) : channel.write(message));
            }
            if (!act.flushesEach()) {
                channel.flush();
            }
        });
        team.step();
    }

    private void keep(ChannelFuture write) {
        synchronized (writes) {
            writes.add(write);
        }
    }

    private Object message(Act act) {
        byte[] bytes = new byte[act.size()];
        out.fill(ByteBuffer.wrap(bytes), written);
        written += bytes.length;
        return switch (act.kind()) {
            case HEAP -> channel.alloc().heapBuffer().writeBytes(bytes);
            case DIRECT -> channel.alloc().directBuffer().writeBytes(bytes);
            case COMPOSITE -> composite(bytes);
            case FILE -> file(bytes);
        };
    }

    private ByteBuf composite(byte[] bytes) {
        CompositeByteBuf composite = channel.alloc().compositeBuffer();
        int each = Math.max(1, bytes.length / PARTS);
        for (int at = 0; at < bytes.length; at += each) {
            int length = Math.min(each, bytes.length - at);
            composite.addComponent(true, channel.alloc().directBuffer(length).writeBytes(bytes, at, length));
        }
        return composite;
    }

    /** Of a file without a name, which goes when the region is released. */
    private static FileRegion file(byte[] bytes) {
        try {
            Path path = Files.createTempFile("region", "");
            FileChannel file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            file.write(ByteBuffer.wrap(bytes));
            return new DefaultFileRegion(file, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A write that nobody flushes. */
    void writeUnflushed() {
        keep(channel.write(channel.alloc().directBuffer().writeZero(1)));
    }

    /** The last write so far. */
    ChannelFuture lastWrite() {
        synchronized (writes) {
            return writes.get(writes.size() - 1);
        }
    }

    void close(boolean isInLoop) throws InterruptedException {
        awaitActive();
        inLoop(isInLoop, () -> {
            ChannelFuture unused = channel.close();
        });
    }

    void shutDownOutput(boolean isInLoop) throws InterruptedException {
        inLoop(isInLoop, () -> {
            ChannelFuture unused = ((DuplexChannel) channel).shutdownOutput();
        });
    }

    /** Does it in the event loop or in this thread; returns when it is done. */
    private void inLoop(boolean isInLoop, Runnable action) throws InterruptedException {
        if (isInLoop) {
            channel.eventLoop().submit(action).sync();
        } else {
            action.run();
        }
    }

    void awaitWrites() throws InterruptedException {
        List<ChannelFuture> all;
        synchronized (writes) {
            all = List.copyOf(writes);
        }
        for (ChannelFuture write : all) {
            write.await();
            team.step();
        }
    }

    /** How the writes ended, in their order. */
    String writes() {
        synchronized (writes) {
            List<String> ends = writes.stream().map(Peer::end).toList();
            return ends.stream()
                    .distinct()
                    .map(end -> ends.stream().filter(end::equals).count() + " " + end)
                    .collect(Collectors.joining(", "));
        }
    }

    private static String end(ChannelFuture write) {
        if (!write.isDone()) {
            return "without end";
        }
        Throwable cause = write.cause();
        return cause == null ? "written" : cause instanceof ClosedChannelException ? "closed" : Team.text(cause);
    }

    String events() {
        return String.join(", ", events);
    }

    /** Without what a write that comes too late leads to, or does not. */
    String eventsOfReading() {
        return events.stream()
                .filter(event -> !event.startsWith("exception") && !event.equals("ChannelOutputShutdownEvent"))
                .collect(Collectors.joining(", "));
    }

    long received() {
        return received.get();
    }
}
