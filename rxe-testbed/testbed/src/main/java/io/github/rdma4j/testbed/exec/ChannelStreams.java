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
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lock of a channel, and why the channel has failed if it has. */
final class ChannelStreams {
    final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Supplier<IOException> failure;

    /** Whether what a thread waits for has come. */
    interface Awaited {
        boolean has();
    }

    /** Waits, under the lock, until it has come or the channel has failed. */
    void await(Awaited awaited) throws IOException {
        try {
            while (failure == null && !awaited.has()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /**
     * Waits, without the lock, until it has come, the channel has failed, or the time is over.
     *
     * @return whether it has come
     */
    boolean await(Awaited awaited, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (failure == null && !awaited.has() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return awaited.has();
        } finally {
            lock.unlock();
        }
    }

    /** Throws the failure, for each caller as an exception of its own. */
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

    /** The input of a command, for its writer, who waits while the server holds as much of it as the window. */
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

        /** The command has ended, or has closed its input. */
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
     * One output stream of a command, for its reader. The server sends no more than the window, and the window grows by
     * what the reader takes: a reader that is slow holds up its own command alone.
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
         * @param grant tells the server how many bytes more there is room for
         * @param abandon tells the server that nobody reads
         */
        Output(ChannelStreams state, IntConsumer grant, Runnable abandon) {
            this.state = state;
            this.grant = grant;
            this.abandon = abandon;
        }

        /** Takes what the server has sent; nothing is the end. */
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

        /** From now on takes all that comes, whether anybody reads it or not. */
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

        /** What has come and nobody has read; does not wait. */
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

        /** The command gets a broken pipe when it writes on. */
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
