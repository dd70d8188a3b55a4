// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The input of a command, for its writer, who waits while the server holds as much of it as the window. */
final class ChannelInput extends OutputStream {
    private static final int CHUNK = 65536;

    private final ChannelState state;
    private final int channel;
    private final FrameQueue queue;
    private long window = ChannelOutput.WINDOW;
    private boolean broken;
    private boolean closed;

    ChannelInput(ChannelState state, int channel, FrameQueue queue) {
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
