// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory that a device may read and write, and that only this process does. */
final class PlainMemory implements RingMemory {
    private final ByteBuffer buffer;

    PlainMemory(int bytes) {
        buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void retire() {}
}
