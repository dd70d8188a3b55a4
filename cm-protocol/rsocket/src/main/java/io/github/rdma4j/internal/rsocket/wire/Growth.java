// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Larger buffers for a connection that is used much. It begins with small ones, and keeps to them if there are no others. */
public interface Growth {
    /**
     * Memory that the peer may write.
     *
     * @param memory the bytes, an even number
     * @param address the address of the first byte for the peer
     * @param key the remote key
     */
    record Offered(ByteBuffer memory, long address, int key) {}

    /** Makes the receive buffer, which stays as long as the connection; null if that is not possible now. */
    @Nullable
    Offered receiveBuffer();

    /** Makes the send buffer; null if that is not possible now. */
    @Nullable
    ByteBuffer sendBuffer();

    /** The last {@link #sendBuffer} is used no more. */
    void sendBufferIsFree();
}
