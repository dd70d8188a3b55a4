// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.channels.Team;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The end of a connection: one side writes and closes, the other reads to the end. */
final class Ending {
    private static final int LARGE = 1 << 16;
    private static final int READ = 1 << 14;
    private static final long SETTLED_MILLIS = 30;

    private final End end;
    private final Side closing;
    private final Side following;
    private final Team team;
    private final Transport transport;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong closedAt = new AtomicLong();
    private volatile String closer = "";
    private volatile String follower = "";

    Ending(End end, Side closing, Side following, Team team, Transport transport) {
        this.end = end;
        this.closing = closing;
        this.following = following;
        this.team = team;
        this.transport = transport;
    }

    void start() throws IOException {
        closing.channel.configureBlocking(true);
        following.channel.configureBlocking(true);
        if (end.linger() >= 0) {
            closing.channel.setOption(StandardSocketOptions.SO_LINGER, end.linger());
        }
        team.start("closer", this::close);
        team.start("follower", this::follow);
    }

    String closer() {
        return closer;
    }

    String follower() {
        return follower;
    }

    /** When the channel was closed. */
    long closedAt() {
        return closedAt.get();
    }

    private void close() throws Exception {
        write(closing, end.tail());
        SocketChannel channel = closing.channel;
        String said = switch (end.how()) {
            case CLOSE, RESET, EARLY -> plainClose();
            case WHILE_READING, READER_INTERRUPTED -> whileReading();
            case WHILE_WRITING, WRITER_INTERRUPTED -> whileWriting();
            case WHILE_SELECTING -> whileSelecting();
            case SHUT_DOWN -> shutDown();
            case EMPTY_WRITE -> interrupted(() -> channel.write(ByteBuffer.allocate(0)));
            case ENDED_READ -> {
                channel.shutdownInput();
                yield interrupted(() -> channel.read(ByteBuffer.allocate(1)));
            }
        };
        closer = said + (channel.isOpen() ? ", and is open" : "");
        channel.close();
        closedAt.compareAndSet(0, System.nanoTime());
        closed.countDown();
        team.step();
    }

    private String plainClose() throws IOException {
        if (end.isInterrupted()) {
            Thread.currentThread().interrupt();
        }
        closedAt.set(System.nanoTime());
        closing.channel.close();
        return Thread.interrupted() ? "closed, interrupted" : "closed";
    }

    /** An action of the channel. */
    private interface Call {
        int run() throws IOException;
    }

    private static String interrupted(Call call) throws IOException {
        Thread.currentThread().interrupt();
        try {
            return "returned " + call.run();
        } catch (ClosedByInterruptException e) {
            return Team.text(e);
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    /** Whether the thread was already inside of the call, or about to make it, is left to chance. */
    private static String kind(ClosedChannelException e) {
        return e instanceof ClosedByInterruptException ? Team.text(e) : "closed by another thread";
    }

    private String whileReading() throws Exception {
        return endedInside(end.how() == End.How.READER_INTERRUPTED, () -> {
            int count = closing.channel.read(ByteBuffer.allocate(1));
            throw new AssertionError("read returned " + count);
        });
    }

    private String whileWriting() throws Exception {
        return endedInside(end.how() == End.How.WRITER_INTERRUPTED, () -> {
            while (true) {
                write(closing, LARGE);
            }
        });
    }

    private String endedInside(boolean byInterrupt, Team.Task call) throws Exception {
        String[] said = {"returned"};
        Thread inside = team.start("closer's other thread", () -> {
            try {
                call.run();
            } catch (ClosedChannelException e) {
                said[0] = kind(e);
            }
        });
        Thread.sleep(SETTLED_MILLIS);
        closedAt.set(System.nanoTime());
        if (byInterrupt) {
            inside.interrupt();
        } else {
            closing.channel.close();
        }
        inside.join();
        return said[0];
    }

    private String whileSelecting() throws Exception {
        closing.channel.configureBlocking(false);
        try (Selector selector = transport.provider().openSelector()) {
            closing.channel.register(selector, SelectionKey.OP_READ);
            Thread inside = team.start("closer's selector", selector::select);
            Thread.sleep(SETTLED_MILLIS);
            closedAt.set(System.nanoTime());
            closing.channel.close();
            selector.wakeup();
            inside.join();
            selector.selectNow();
            return "closed with " + selector.keys().size() + " keys";
        }
    }

    private String shutDown() throws IOException {
        closing.channel.shutdownOutput();
        return readToEnd(closing, end.back());
    }

    private void follow() throws Exception {
        switch (end.how()) {
            case RESET, EMPTY_WRITE, ENDED_READ -> closed.await();
            case EARLY -> {
                closed.await();
                writeToNobody();
            }
            case WHILE_WRITING, WRITER_INTERRUPTED -> {
                closed.await();
                Thread.sleep(end.lateMillis());
            }
            default -> Thread.sleep(end.lateMillis());
        }
        following.channel.configureBlocking(!end.selects());
        follower = readToEnd(following, end.tail());
        if (end.how() == End.How.SHUT_DOWN) {
            following.channel.configureBlocking(true);
            write(following, end.back());
        }
        following.channel.close();
    }

    /** TCP takes what the peer refuses later; over RDMA the end is known at once. */
    private void writeToNobody() throws IOException {
        try {
            write(following, 1);
        } catch (IOException e) {
            if (!"Broken pipe".equals(e.getMessage())) {
                throw e;
            }
        }
    }

    private void write(Side side, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        side.out.fill(bytes, side.written);
        bytes.flip();
        while (bytes.hasRemaining()) {
            side.channel.write(bytes);
            team.step();
        }
        side.written += count;
    }

    /** What a side reads: the bytes until something else comes, and that. */
    private String readToEnd(Side side, int expected) throws IOException {
        long before = side.read;
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ);
        String last = "";
        try (Selector selector = transport.provider().openSelector()) {
            boolean selects = !side.channel.isBlocking();
            if (selects) {
                side.channel.register(selector, SelectionKey.OP_READ);
            }
            while (last.isEmpty()) {
                if (selects) {
                    selector.select();
                    selector.selectedKeys().clear();
                }
                int count = side.channel.read(bytes.clear());
                int right = side.in.right(bytes, 0, side.read);
                side.read += right;
                last = right < bytes.position() ? "a wrong byte" : count < 0 ? "the end" : "";
                team.step();
            }
        } catch (IOException e) {
            last = Team.text(e);
        }
        long got = side.read - before;
        boolean isEndless = end.how() == End.How.WHILE_WRITING || end.how() == End.How.WRITER_INTERRUPTED;
        String count = isEndless && got >= expected ? "all bytes" : got + " of " + expected + " bytes";
        return count + ", then " + last;
    }
}
