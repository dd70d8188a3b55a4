// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a frame looks like; {@code exec.pl} says what the types mean. */
final class Frame {
    static final int HEADER_BYTES = 9;

    /** As long as the server makes them, with room to spare. */
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

    static byte[] of(char type, int channel, String text) {
        return of(type, channel, text.getBytes(StandardCharsets.UTF_8));
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
}
