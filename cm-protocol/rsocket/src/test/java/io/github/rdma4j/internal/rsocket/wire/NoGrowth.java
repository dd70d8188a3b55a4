// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** No larger buffers. */
public enum NoGrowth implements Growth {
    NONE;

    @Override
    public @Nullable Offered receiveBuffer() {
        return null;
    }

    @Override
    public @Nullable ByteBuffer sendBuffer() {
        return null;
    }

    @Override
    public void sendBufferIsFree() {
        throw new IllegalStateException("there is no larger send buffer");
    }
}
