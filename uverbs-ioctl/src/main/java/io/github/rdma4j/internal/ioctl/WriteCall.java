// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import java.nio.ByteBuffer;

/**
 * The shape of a command of the write set: what both transports need to know to carry it.
 *
 * @param number {@code IB_USER_VERBS_CMD_*}
 * @param name the C name of the number, for messages
 * @param requestBytes size of the request struct
 * @param replyBytes size of the response struct, 0 for a command that has none
 * @param driverRequestBytes zeros that the driver wants behind the request struct
 */
record WriteCall(int number, String name, int requestBytes, int replyBytes, int driverRequestBytes) {
    WriteCall(int number, String name, int requestBytes, int replyBytes) {
        this(number, name, requestBytes, replyBytes, 0);
    }

    /** The same with {@code bytes} zeros for the driver behind the request. */
    WriteCall withDriverRequest(int bytes) {
        return new WriteCall(number, name, requestBytes, replyBytes, bytes);
    }

    /** Writes the request struct; {@code response} is the address for its response field. */
    @FunctionalInterface
    interface Request {
        void encode(ByteBuffer out, int base, long response);
    }

    /** Reads the core response at {@code base}, and what the driver appended at {@code driverBase}. */
    @FunctionalInterface
    interface Reply<T> {
        T decode(ByteBuffer in, int base, int driverBase);
    }
}
