// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;

/**
 * The 16 bytes in front of every message, in network byte order: type, 3 bytes of zeros, the length of what follows, and
 * the number of messages that the peer may have sent in all.
 */
final class Header {
    static final int BYTES = 16;

    /** Bytes of the stream follow. */
    static final int DATA = 1;

    /** Only the number of messages is new. */
    static final int GRANT = 2;

    /** The sender sends no more bytes of the stream. */
    static final int END = 3;

    /** The sender sends no more bytes, and reads none. */
    static final int BYE = 4;

    private static final int LENGTH = 4;
    private static final int GRANTED = 8;
    private static final int ZEROS = 0xffffff;

    private Header() {}

    static void put(ByteBuf into, int at, int type, int length, long granted) {
        into.setInt(at, type << 24);
        into.setInt(at + LENGTH, length);
        into.setLong(at + GRANTED, granted);
    }

    /** Returns the type of a message of {@code bytes} bytes. */
    static int type(ByteBuf message, int bytes) throws RdmaException {
        if (bytes < BYTES) {
            throw lie("a message of " + bytes + " bytes; the header alone has " + BYTES);
        }
        int first = message.getInt(0);
        int type = first >>> 24;
        if (type < DATA || type > BYE || (first & ZEROS) != 0) {
            throw lie("a message that begins with 0x" + Integer.toHexString(first)
                    + "; the first byte is 1 to 4, and the next three are 0");
        }
        int length = message.getInt(LENGTH);
        if (length != bytes - BYTES || (length == 0) != (type != DATA)) {
            throw lie("a length of " + Integer.toUnsignedString(length) + " in a message of type " + type + " with "
                    + (bytes - BYTES) + " bytes after the header");
        }
        return type;
    }

    static long granted(ByteBuf message) {
        return message.getLong(GRANTED);
    }

    static RdmaException lie(String what) {
        return new RdmaException("the peer sent " + what + ": it is no channel of this version, or it is broken");
    }

    static String toString(int type) {
        return switch (type) {
            case DATA -> "DATA";
            case GRANT -> "GRANT";
            case END -> "END";
            case BYE -> "BYE";
            default -> "type " + type;
        };
    }
}
