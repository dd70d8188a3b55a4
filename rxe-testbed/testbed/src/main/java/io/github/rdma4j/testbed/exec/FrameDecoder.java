// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Takes the bytes that the server writes, in pieces of any length, and hands over each frame when it is complete. */
final class FrameDecoder extends OutputStream {
    /** Takes a frame; the bytes are the callee's. */
    interface Handler {
        void frame(char type, int channel, byte[] bytes) throws IOException;
    }

    private static final String TYPES = "hboewkx";

    private final Handler handler;
    private byte[] held = new byte[0];

    FrameDecoder(Handler handler) {
        this.handler = handler;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer input = ByteBuffer.wrap(bytes, offset, length);
        if (held.length > 0) {
            input = ByteBuffer.allocate(held.length + length)
                    .put(held)
                    .put(input)
                    .flip();
        }
        while (input.remaining() >= Frame.HEADER_BYTES) {
            char type = (char) input.get(input.position());
            int channel = input.getInt(input.position() + 1);
            int size = input.getInt(input.position() + 1 + Integer.BYTES);
            if (TYPES.indexOf(type) < 0 || size < 0 || size > Frame.LONGEST) {
                throw new IOException(
                        "the exec server sent a frame of type " + (int) type + " with " + size + " bytes");
            }
            if (input.remaining() < Frame.HEADER_BYTES + size) {
                break;
            }
            int start = input.position() + Frame.HEADER_BYTES;
            byte[] payload =
                    Arrays.copyOfRange(input.array(), input.arrayOffset() + start, input.arrayOffset() + start + size);
            input.position(start + size);
            deliver(type, channel, payload);
        }
        held = new byte[input.remaining()];
        input.get(held);
    }

    private void deliver(char type, int channel, byte[] payload) throws IOException {
        try {
            handler.frame(type, channel, payload);
        } catch (BufferUnderflowException | NumberFormatException | NegativeArraySizeException e) {
            throw new IOException("the exec server sent a damaged frame of type " + type, e);
        }
    }
}
