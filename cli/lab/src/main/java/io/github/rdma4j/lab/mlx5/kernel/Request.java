// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A command of the write set, whichever way it came. All buffers are in native byte order, and empty where there is nothing.
 *
 * @param core the request struct
 * @param reply room for the reply struct
 * @param driverRequest what the driver gets
 * @param driverReply room for what the driver adds
 */
record Request(ByteBuffer core, ByteBuffer reply, ByteBuffer driverRequest, ByteBuffer driverReply) {
    static ByteBuffer none() {
        return ByteBuffer.allocate(0).order(ByteOrder.nativeOrder());
    }

    /** {@code bytes} of the driver's request, with zeros for those that did not come. */
    static ByteBuffer padded(ByteBuffer request, int bytes) {
        ByteBuffer whole = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        whole.put(0, request, 0, Math.min(bytes, request.capacity()));
        return whole;
    }

    /** Copies as much of {@code from} as there is room for. */
    static void answer(ByteBuffer room, ByteBuffer from) {
        room.put(0, from, 0, Math.min(room.capacity(), from.capacity()));
    }
}
