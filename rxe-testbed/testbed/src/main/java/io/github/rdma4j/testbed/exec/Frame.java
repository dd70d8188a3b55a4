// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** The format of frames; {@code exec.pl} describes the types. */
final class Frame {
    static final int HEADER_BYTES = 9;

    /** More than the server sends in a frame. */
    static final int LONGEST = 1 << 20;

    private Frame() {}

    static byte[] of(char type, int channel, byte[] bytes, int offset, int length) {
        return ByteBuffer.allocate(HEADER_BYTES + length)
                .put((byte) type)
                .putInt(channel)
                .putInt(length)
                .put(bytes, offset, length)
                .array();
    }

    static byte[] of(char type, int channel, byte[] bytes) {
        return of(type, channel, bytes, 0, bytes.length);
    }

    /** Strings, each after its length. */
    static byte[] strings(List<String> strings) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String string : strings) {
            byte[] text = string.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(text.length).array());
            bytes.writeBytes(text);
        }
        return bytes.toByteArray();
    }

    static List<String> strings(ByteBuffer bytes) {
        List<String> strings = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] text = new byte[bytes.getInt()];
            bytes.get(text);
            strings.add(new String(text, StandardCharsets.UTF_8));
        }
        return strings;
    }

    /** Splits the bytes of the server, in pieces of any length, into frames. */
    static final class Decoder extends OutputStream {
        /** Takes a frame; the handler owns the bytes. */
        interface Handler {
            void frame(char type, int channel, byte[] bytes) throws IOException;
        }

        private static final String TYPES = "hboewkx";

        private final Handler handler;
        private final Consumer<IOException> onFailure;
        private byte[] held = new byte[0];

        Decoder(Handler handler, Consumer<IOException> onFailure) {
            this.handler = handler;
            this.onFailure = onFailure;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer input = ByteBuffer.allocate(held.length + length)
                    .put(held)
                    .put(bytes, offset, length)
                    .flip();
            try {
                decode(input);
            } catch (IOException e) {
                onFailure.accept(e);
                throw e;
            }
            held = new byte[input.remaining()];
            input.get(held);
        }

        private void decode(ByteBuffer input) throws IOException {
            while (input.mark().remaining() >= HEADER_BYTES) {
                char type = (char) input.get();
                int channel = input.getInt();
                int size = input.getInt();
                if (TYPES.indexOf(type) < 0 || size < 0 || size > LONGEST) {
                    throw new IOException(
                            "the exec server sent a frame of type " + (int) type + " with " + size + " bytes");
                }
                if (input.remaining() < size) {
                    input.reset();
                    return;
                }
                byte[] payload = new byte[size];
                input.get(payload);
                deliver(type, channel, payload);
            }
        }

        private void deliver(char type, int channel, byte[] payload) throws IOException {
            try {
                handler.frame(type, channel, payload);
            } catch (BufferUnderflowException | NumberFormatException | NegativeArraySizeException e) {
                throw new IOException("the exec server sent a damaged frame of type " + type, e);
            }
        }
    }

    /** The frames for the server, as the stream from which the server's input is copied. */
    static final class Queue extends InputStream {
        private static final byte[] END = {};

        /** Adding never waits: the windows of the channels bound the content. */
        private final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();

        private ByteBuffer current = ByteBuffer.wrap(END);
        private volatile boolean closed;

        void add(byte[] frame) {
            if (!closed) {
                frames.add(frame);
            }
        }

        @Override
        public int read() throws InterruptedIOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws InterruptedIOException {
            try {
                if (!current.hasRemaining()) {
                    byte[] frame = frames.take();
                    if (frame == END) {
                        frames.add(END);
                        return -1;
                    }
                    current = ByteBuffer.wrap(frame);
                }
            } catch (InterruptedException e) {
                throw new InterruptedIOException("interrupted");
            }
            int count = Math.min(length, current.remaining());
            current.get(bytes, offset, count);
            return count;
        }

        /** Ends the stream after the frames that it holds. */
        @Override
        public void close() {
            closed = true;
            frames.add(END);
        }
    }
}
