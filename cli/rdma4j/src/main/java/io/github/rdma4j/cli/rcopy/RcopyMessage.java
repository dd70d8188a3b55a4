// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rcopy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of each message of rcopy: version 0, a command, the total length, a number, an id. Both sides must have the
 * same byte order, because the numbers are sent in native order.
 *
 * @param command {@link #OPEN}, {@link #CLOSE} or {@link #WRITE}, with {@link #REPLY} in a reply
 * @param length the length of the message including its head, at least {@value #BYTES}
 * @param data the mode of the file to open, or the error number in a reply
 * @param id the id, which the reply repeats
 */
record RcopyMessage(int command, int length, int data, long id) {
    static final int OPEN = 1;
    static final int CLOSE = 2;
    static final int WRITE = 3;
    static final int REPLY = 0x80;

    static final int BYTES = 16;

    /** The length of a message with {@link #WRITE}, in which the size of the file follows the head. */
    static final int WRITE_BYTES = BYTES + Long.BYTES;

    /** The maximum length of a message, limited by the length field. */
    static final int MAX_BYTES = 0xffff;

    /** Returns a buffer for the message that starts with the head, positioned after the head. */
    ByteBuffer encode() {
        return ByteBuffer.allocateDirect(length)
                .order(ByteOrder.nativeOrder())
                .put((byte) 0)
                .put((byte) command)
                .putShort((short) length)
                .putInt(data)
                .putLong(id);
    }

    static RcopyMessage decode(ByteBuffer head) throws RcopyException {
        head.order(ByteOrder.nativeOrder());
        int version = head.get(0);
        int length = head.getShort(2) & MAX_BYTES;
        if (version != 0 || length < BYTES) {
            throw new RcopyException(
                    Errno.EINVAL,
                    "the peer sent version " + version + " and length " + length
                            + "; rcopy has version 0 and a length of at least " + BYTES);
        }
        return new RcopyMessage(head.get(1) & 0xff, length, head.getInt(4), head.getLong(8));
    }

    RcopyMessage reply(int status) {
        return new RcopyMessage(command | REPLY, BYTES, status, id);
    }

    /** Thrown when a copy cannot continue, with the error number for the peer. */
    static final class RcopyException extends RdmaException {
        private static final long serialVersionUID = 1L;

        final transient Errno errno;

        RcopyException(Errno errno, String message) {
            super(message);
            this.errno = errno;
        }
    }
}
