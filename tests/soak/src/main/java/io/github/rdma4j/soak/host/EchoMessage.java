// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * A message of the echo protocol: its number, its length and a checksum, then bytes.
 *
 * <pre>{@code
 * 0  number, eight bytes
 * 8  length with this header, four bytes
 * 12 CRC-32 of number, length and payload
 * 16 payload
 * }</pre>
 */
final class EchoMessage {
    static final int HEADER = 16;
    static final int MAX = 4096;

    private static final long FAREWELL = -1;
    private static final int LENGTH = 8;
    private static final int CHECKSUM = 12;

    private EchoMessage() {}

    static void fill(ByteBuffer message, long number, Random random) {
        byte[] payload = new byte[message.capacity() - HEADER];
        random.nextBytes(payload);
        message.putLong(0, number);
        message.putInt(LENGTH, message.capacity());
        message.put(HEADER, payload);
        message.putInt(CHECKSUM, checksum(message));
    }

    /** The last message of a client, which is not sent back. */
    static void fillFarewell(ByteBuffer message) {
        message.putLong(0, FAREWELL);
        message.putInt(LENGTH, HEADER);
        message.putInt(CHECKSUM, checksum(message));
    }

    static boolean isFarewell(ByteBuffer message) {
        return isIntact(message) && number(message) == FAREWELL;
    }

    /** True for a message that is as {@link #fill} has made it. */
    static boolean isIntact(ByteBuffer message) {
        return message.capacity() >= HEADER
                && message.getInt(LENGTH) == message.capacity()
                && message.getInt(CHECKSUM) == checksum(message);
    }

    static long number(ByteBuffer message) {
        return message.getLong(0);
    }

    private static int checksum(ByteBuffer message) {
        CRC32 crc = new CRC32();
        crc.update(message.slice(0, CHECKSUM));
        crc.update(message.slice(HEADER, message.capacity() - HEADER));
        return (int) crc.getValue();
    }
}
