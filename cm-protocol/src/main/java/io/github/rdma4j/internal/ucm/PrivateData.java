// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * The pair {@code __u8 private_data[RDMA_MAX_PRIVATE_DATA]} and {@code __u8 private_data_len}. The array has room for a
 * byte more than the length can tell; what a message carries is less than both, and only the kernel knows how much.
 */
final class PrivateData {
    static final int MAX_LENGTH = 255;

    /** {@code RDMA_MAX_PRIVATE_DATA}, bytes. */
    private static final int ARRAY_BYTES = 256;

    private PrivateData() {}

    /** A copy; throws {@link IllegalArgumentException} if longer than the length can tell. */
    static byte[] copy(byte[] privateData) {
        if (privateData.length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "private data of " + privateData.length + " bytes, more than " + MAX_LENGTH);
        }
        return privateData.clone();
    }

    /** Writes the array, filled up with zeros, and the length. */
    static void encode(ByteBuffer out, int arrayOffset, int lengthOffset, byte[] privateData) {
        out.put(arrayOffset, privateData);
        StructFields.zero(out, arrayOffset + privateData.length, ARRAY_BYTES - privateData.length);
        StructFields.putU8(out, lengthOffset, privateData.length);
    }

    static byte[] decode(ByteBuffer in, int arrayOffset, int lengthOffset) {
        byte[] privateData = new byte[StructFields.getU8(in, lengthOffset)];
        in.get(arrayOffset, privateData);
        return privateData;
    }
}
