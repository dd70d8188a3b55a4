// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What a channel waits for: at any time a single thread reads, a single thread writes, and whoever connects does both. */
final class Transfers {
    /** The buffers of an operation with a single buffer. */
    static final ByteBuffer[] NONE = {};

    private final Owner channel;
    private final StreamLink link;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();

    /** Read with one of the locks, written with both. */
    private boolean blocks = true;

    private volatile boolean inputClosed;
    private volatile boolean outputClosed;

    /** Set before the link is told: a write under way, which the link refuses from then on, ends with what it has written. */
    private volatile boolean outputEnds;

    /** The channel, as its transfers see it. */
    interface Owner extends Channel {
        void checkConnected() throws ClosedChannelException;

        /** As {@link java.nio.channels.spi.AbstractInterruptibleChannel}'s begin. */
        void beginBlocking();

        /** As {@link java.nio.channels.spi.AbstractInterruptibleChannel}'s end. */
        void endBlocking(boolean completed) throws IOException;

        /** The calling thread has slept, and tries again. */
        default void woken() throws IOException {}
    }

    Transfers(Owner channel, StreamLink link) {
        this.channel = channel;
        this.link = link;
    }

    /** Nobody reads or writes until {@link #unlockBoth()}. */
    void lockBoth() {
        readLock.lock();
        writeLock.lock();
    }

    void unlockBoth() {
        writeLock.unlock();
        readLock.unlock();
    }

    /** Waits for operations under way: they begin and end in the same mode. */
    void setBlocking(boolean block) {
        lockBoth();
        try {
            blocks = block;
        } finally {
            unlockBoth();
        }
    }

    /** Whether the channel blocks; throws if it does not and {@code must}. */
    boolean isBlocking(boolean must) {
        if (must && !blocks) {
            throw new IllegalBlockingModeException();
        }
        return blocks;
    }

    /** Sleeps until the link has one of {@code events}, or for nothing. */
    private void sleep(int events, long nanos) throws IOException {
        Sleep.until(link.source(), events, nanos, channel);
        channel.woken();
    }

    /** Waits until the link is connected: false if the channel is closed meanwhile. For a channel that blocks, with both locks. */
    boolean awaitConnected(long nanos) throws IOException {
        long start = System.nanoTime();
        while (channel.isOpen()) {
            if (link.finishConnect()) {
                return true;
            }
            sleep(SocketCalls.POLLOUT, Sleep.left(nanos, start, "Connect timed out"));
        }
        return false;
    }

    boolean isInputClosed() {
        return inputClosed;
    }

    boolean isOutputClosed() {
        return outputClosed;
    }

    void shutdownInput() throws IOException {
        if (!inputClosed) {
            link.shutdownInput();
            inputClosed = true;
            link.source().descriptor().wakeWaiters();
        }
    }

    void shutdownOutput() throws IOException {
        if (!outputClosed) {
            outputEnds = true;
            link.shutdownOutput();
            outputClosed = true;
            link.source().descriptor().wakeWaiters();
        }
    }

    /** Refuses buffers that are missing or must not be written. As in the JDK's channels, the state of the channel counts before. */
    static void check(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length, boolean toBeWritten) {
        if (one != null) {
            check(one, toBeWritten);
            return;
        }
        for (int i = offset; i < offset + length; i++) {
            check(many[i], toBeWritten);
        }
    }

    private static void check(ByteBuffer buffer, boolean toBeWritten) {
        if (Objects.requireNonNull(buffer).isReadOnly() && toBeWritten) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    static boolean hasRemaining(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) {
        if (one != null) {
            return one.hasRemaining();
        }
        for (int i = offset; i < offset + length; i++) {
            if (many[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Reads into {@code one} or, if that is null, into {@code many}. */
    long read(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, many.length);
        readLock.lock();
        try {
            channel.checkConnected();
            return blocks
                    ? readBlocking(one, many, offset, length, Sleep.NO_LIMIT)
                    : readNow(one, many, offset, length);
        } finally {
            readLock.unlock();
        }
    }

    private long orEnd(long bytes) {
        return bytes <= 0 && inputClosed ? -1 : bytes;
    }

    private long readNow(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) throws IOException {
        return mayRead(one, many, offset, length) ? orEnd(readOnce(one, many, offset, length)) : inputClosed ? -1 : 0;
    }

    /** False if there is nothing to read for, or into. */
    private boolean mayRead(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) {
        if (inputClosed) {
            return false;
        }
        check(one, many, offset, length, true);
        return hasRemaining(one, many, offset, length);
    }

    private long readOnce(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) throws IOException {
        return one != null ? link.read(one) : link.read(many, offset, length);
    }

    /** A thread that was interrupted closes the channel also if there is nothing to do. */
    private long readBlocking(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length, long nanos)
            throws IOException {
        long start = nanos == Sleep.NO_LIMIT ? 0 : System.nanoTime();
        long bytes = 0;
        channel.beginBlocking();
        try {
            if (mayRead(one, many, offset, length)) {
                bytes = readOnce(one, many, offset, length);
                while (bytes == 0 && channel.isOpen()) {
                    sleep(SocketCalls.POLLIN, Sleep.left(nanos, start, "Read timed out"));
                    bytes = readOnce(one, many, offset, length);
                }
            }
        } finally {
            channel.endBlocking(bytes > 0);
        }
        return orEnd(bytes);
    }

    /** Reads for a socket, whose channel must block, into a buffer with room. */
    int readLimited(ByteBuffer target, long nanos) throws IOException {
        long left = Sleep.lock(readLock, nanos, "Read timed out");
        try {
            channel.checkConnected();
            boolean unused = isBlocking(true);
            return (int) readBlocking(target, NONE, 0, 0, left);
        } finally {
            readLock.unlock();
        }
    }

    /** Writes from {@code one} or, if that is null, from {@code many}; a channel that blocks writes everything. */
    long write(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) throws IOException {
        int unused = Objects.checkFromIndexSize(offset, length, many.length);
        writeLock.lock();
        try {
            channel.checkConnected();
            if (blocks) {
                return writeBlocking(one, many, offset, length);
            }
            checkOutput();
            check(one, many, offset, length, false);
            return hasRemaining(one, many, offset, length) ? writeOnce(one, many, offset, length) : 0;
        } finally {
            writeLock.unlock();
        }
    }

    private void checkOutput() throws ClosedChannelException {
        if (outputClosed) {
            throw new ClosedChannelException();
        }
    }

    private long writeOnce(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) throws IOException {
        return one != null ? link.write(one) : link.write(many, offset, length);
    }

    private long writeBlocking(@Nullable ByteBuffer one, ByteBuffer[] many, int offset, int length) throws IOException {
        long bytes = 0;
        boolean began = false;
        channel.beginBlocking();
        try {
            checkOutput();
            check(one, many, offset, length, false);
            began = true;
            while (channel.isOpen() && !outputClosed && hasRemaining(one, many, offset, length)) {
                long part = writeOnce(one, many, offset, length);
                bytes += part;
                if (part == 0) {
                    sleep(SocketCalls.POLLOUT, Sleep.NO_LIMIT);
                }
            }
        } catch (IOException e) {
            if (!began || !outputEnds) {
                throw e;
            }
        } finally {
            channel.endBlocking(bytes > 0);
        }
        if (bytes <= 0 && outputEnds) {
            throw new AsynchronousCloseException();
        }
        return bytes;
    }

    /** Writes for a socket, whose channel must block. */
    void writeFully(ByteBuffer source) throws IOException {
        writeLock.lock();
        try {
            channel.checkConnected();
            if (isBlocking(true)
                    && source.hasRemaining()
                    && writeBlocking(source, NONE, 0, 0) > 0
                    && source.hasRemaining()) {
                throw new AsynchronousCloseException();
            }
        } finally {
            writeLock.unlock();
        }
    }

    /** Sends an urgent byte. */
    void writeUrgent(byte data) throws IOException {
        writeLock.lock();
        try {
            channel.checkConnected();
            checkOutput();
            if (blocks) {
                writeUrgentBlocking(data);
            } else if (!link.writeUrgent(data)) {
                throw new IOException("Socket buffer full");
            }
        } finally {
            writeLock.unlock();
        }
    }

    private void writeUrgentBlocking(byte data) throws IOException {
        boolean done = false;
        channel.beginBlocking();
        try {
            while (channel.isOpen() && !done) {
                done = link.writeUrgent(data);
                if (!done) {
                    sleep(SocketCalls.POLLOUT, Sleep.NO_LIMIT);
                }
            }
        } finally {
            channel.endBlocking(done);
        }
    }
}
