// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * One output stream of a command, for its reader. The server sends no more than the window, and the window grows by what
 * the reader takes: a reader that is slow holds up its own command alone.
 */
final class ChannelOutput extends InputStream {
    /** As in {@code exec.pl}. */
    static final int WINDOW = 262144;

    private final ChannelState state;
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
    ChannelOutput(ChannelState state, IntConsumer grant, Runnable abandon) {
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
