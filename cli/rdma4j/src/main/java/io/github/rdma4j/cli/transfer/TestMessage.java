// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/**
 * The contents of a message of rdma4j: four letters that identify it, its number, and bytes that depend on the number
 * and on their index. A message that a C program creates differs; a C program sends the messages of rdma4j back
 * unchanged.
 *
 * <pre>{@code
 * u8 magic[4];     //  0  "rd4j"
 * __be32 number;   //  4
 * u8 fill[];       //  8  number + place
 * }</pre>
 */
public final class TestMessage {
    /** The minimum size of a message that can be identified. */
    static final int MIN_SIZE = 8;

    /** The result for a message of another program. */
    public static final int FOREIGN = -1;

    private static final int MAGIC = 0x7264_346a;
    private static final int NUMBER = 4;

    private TestMessage() {}

    /** Fills {@code message} from index 0. */
    public static void fill(ByteBuffer message, int number) {
        for (int place = 0; place < message.limit(); place++) {
            message.put(place, expected(place, number));
        }
    }

    /**
     * The number of the message, or {@link #FOREIGN}. The message may be truncated.
     *
     * @throws RdmaException if the message has the header of rdma4j but wrong content
     */
    public static int numberOf(ByteBuffer message) throws RdmaException {
        if (message.limit() < MIN_SIZE || StructFields.getBe32(message, 0) != MAGIC) {
            return FOREIGN;
        }
        int number = StructFields.getBe32(message, NUMBER);
        for (int place = MIN_SIZE; place < message.limit(); place++) {
            if (message.get(place) != expected(place, number)) {
                throw new RdmaException("message " + number + ": data mismatch at byte " + place);
            }
        }
        return number;
    }

    private static byte expected(int place, int number) {
        if (place < NUMBER) {
            return byteOf(MAGIC, place);
        }
        return place < MIN_SIZE ? byteOf(number, place - NUMBER) : (byte) (number + place);
    }

    /** The byte at {@code index} of a big-endian number. */
    private static byte byteOf(int number, int index) {
        return (byte) (number >> (Byte.SIZE * (Integer.BYTES - 1 - index)));
    }
}
