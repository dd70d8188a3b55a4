// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The text of a ping: {@code rdma-ping-N: } followed by letters that start with a different letter each time, as in
 * rping.
 */
final class PingData {
    /** The minimum size: the ping's number and text; rping rejects less. */
    static final int MIN_SIZE = 26;

    /** The largest ping; C rping takes up to 65,535 bytes. */
    static final int MAX_SIZE = 1 << 20;

    private static final int FIRST = 'A';
    private static final int LAST = 'z';

    private PingData() {}

    /** Fills {@code buffer} with the text of ping {@code ping}, terminated by a zero byte. */
    static void fill(ByteBuffer buffer, int ping) {
        int size = buffer.capacity();
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        int index = Math.min(head.length, size);
        buffer.put(0, head, 0, index);
        int letter = FIRST + ping % (LAST - FIRST + 1);
        while (index < size) {
            buffer.put(index++, (byte) letter);
            letter = letter == LAST ? FIRST : letter + 1;
        }
        buffer.put(size - 1, (byte) 0);
    }

    /** The text up to its zero byte. */
    static String text(ByteBuffer buffer, int length) {
        return StandardCharsets.US_ASCII
                .decode(buffer.slice(0, lengthOfText(buffer, length)))
                .toString();
    }

    /** The number of bytes before the first zero byte, at most {@code length}. */
    static int lengthOfText(ByteBuffer buffer, int length) {
        int index = 0;
        while (index < length && buffer.get(index) != 0) {
            index++;
        }
        return index;
    }
}
