// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies what a driver returned beside the core response out of the command's memory, for its provider to read. */
final class DriverReply {
    private DriverReply() {}

    /** A heap copy in native byte order. */
    static ByteBuffer copy(ByteBuffer in, int base, int length) {
        ByteBuffer copy = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
        copy.put(0, in, base, length);
        return copy;
    }
}
