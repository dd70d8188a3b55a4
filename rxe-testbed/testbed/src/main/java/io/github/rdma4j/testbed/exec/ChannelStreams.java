// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The streams of a channel, their lock, and the failure of the channel if it has failed. */
final class ChannelStreams {
    final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable Supplier<IOException> failure;

    /** Waits, under the lock, until the condition holds or the channel has failed. */
    void await(BooleanSupplier awaited) throws IOException {
        try {
            while (failure == null && !awaited.getAsBoolean()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /**
     * Waits, without the lock, until the condition holds, the channel has failed, or the time is over.
     *
     * @return whether the condition holds
     */
    boolean await(BooleanSupplier awaited, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (failure == null && !awaited.getAsBoolean() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return awaited.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** Throws the failure, as a new exception for each caller. */
    void check() throws IOException {
        Supplier<IOException> cause = failure;
        if (cause != null) {
            throw cause.get();
        }
    }

    void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void fail(Supplier<IOException> cause) {
        change(() -> failure = failure == null ? cause : failure);
    }

    /** The input of a command. The writer waits while the server holds a full window of input. */
    static final class Input extends OutputStream {
        private static final int CHUNK = 65536;

        private final ChannelStreams state;
        private final int channel;
        private final Frame.Queue queue;
        private long window = Output.WINDOW;
        private boolean broken;
        private boolean closed;

        Input(ChannelStreams state, int channel, Frame.Queue queue) {
            this.state = state;
            this.channel = channel;
            this.queue = queue;
        }

        void grant(int bytes) {
            state.change(() -> window += bytes);
        }

        /** Call this method when the command has ended or has closed its input. */
        void noReader() {
            state.change(() -> broken = true);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            int start = offset;
            while (start < offset + length) {
                start += writeSome(bytes, start, offset + length - start);
            }
        }

        private int writeSome(byte[] bytes, int offset, int length) throws IOException {
            state.lock.lock();
            try {
                state.await(() -> window > 0 || broken || closed);
                if (closed) {
                    throw new IOException("Stream closed");
                }
                if (broken) {
                    throw new IOException("Broken pipe");
                }
                state.check();
                int count = (int) Math.min(Math.min(length, CHUNK), window);
                window -= count;
                queue.add(Frame.of('i', channel, bytes, offset, count));
                return count;
            } finally {
                state.lock.unlock();
            }
        }

        /** The end of the command's input. */
        @Override
        public void close() {
            state.change(() -> {
                if (!closed) {
                    closed = true;
                    queue.add(Frame.of('i', channel, new byte[0]));
                }
            });
        }
    }

    /**
     * An output stream of a command. The server sends at most a window of bytes, and reading grants it more: a slow
     * reader holds up only its own command.
     */
    static final class Output extends InputStream {
        /** As in {@code exec.pl}. */
        static final int WINDOW = 262144;

        private final ChannelStreams state;
        private final IntConsumer grant;
        private final Runnable abandon;
        private final Deque<byte[]> chunks = new ArrayDeque<>();
        private int taken;
        private int ungranted;
        private boolean ended;
        private boolean closed;
        private boolean unlimited;

        /**
         * @param grant allows the server to send so many more bytes
         * @param abandon tells the server that the stream has no reader
         */
        Output(ChannelStreams state, IntConsumer grant, Runnable abandon) {
            this.state = state;
            this.grant = grant;
            this.abandon = abandon;
        }

        /** Takes bytes from the server; an empty array is the end. */
        void deliver(byte[] bytes) {
            state.change(() -> {
                if (bytes.length == 0) {
                    ended = true;
                } else if (!closed) {
                    chunks.add(bytes);
                    if (unlimited) {
                        grant.accept(bytes.length);
                    }
                }
            });
        }

        boolean ended() {
            return ended;
        }

        /** From now on takes all bytes at once, without waiting for the reader. */
        void unlimit() {
            state.change(() -> {
                if (!unlimited) {
                    unlimited = true;
                    grant.accept(ungranted
                            + chunks.stream().mapToInt(chunk -> chunk.length).sum()
                            - taken);
                }
            });
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            state.lock.lock();
            try {
                state.await(() -> !chunks.isEmpty() || ended || closed);
                if (closed) {
                    throw new IOException("Stream closed");
                }
                byte[] chunk = chunks.peek();
                if (chunk == null) {
                    if (!ended) {
                        state.check();
                    }
                    return -1;
                }
                return take(chunk, bytes, offset, length);
            } finally {
                state.lock.unlock();
            }
        }

        /** The unread bytes so far; does not wait. */
        byte[] takeAll() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            state.change(() -> {
                int skip = taken;
                for (byte[] chunk : chunks) {
                    all.write(chunk, skip, chunk.length - skip);
                    skip = 0;
                }
                chunks.clear();
                taken = 0;
            });
            return all.toByteArray();
        }

        private int take(byte[] chunk, byte[] bytes, int offset, int length) {
            int count = Math.min(length, chunk.length - taken);
            System.arraycopy(chunk, taken, bytes, offset, count);
            taken += count;
            if (taken == chunk.length) {
                chunks.remove();
                taken = 0;
            }
            if (!unlimited) {
                ungranted += count;
                if (ungranted >= WINDOW / 4 && !ended) {
                    grant.accept(ungranted);
                    ungranted = 0;
                }
            }
            return count;
        }

        @Override
        public int available() {
            state.lock.lock();
            try {
                byte[] chunk = chunks.peek();
                return chunk == null ? 0 : chunk.length - taken;
            } finally {
                state.lock.unlock();
            }
        }

        /** Later writes of the command fail with a broken pipe. */
        @Override
        public void close() {
            state.change(() -> {
                if (!closed) {
                    closed = true;
                    chunks.clear();
                    if (!ended) {
                        abandon.run();
                    }
                }
            });
        }
    }
}
