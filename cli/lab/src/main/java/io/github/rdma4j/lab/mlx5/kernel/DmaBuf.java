// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;

/** A dma-buf: memory of another driver, which lasts for as long as a descriptor or a memory region refers to it. */
final class DmaBuf extends OpenFile {
    private final ByteBuffer memory;

    DmaBuf(ByteBuffer memory) {
        this.memory = memory;
    }

    long length() {
        return memory.capacity();
    }

    /** Where the device reaches it; not an address that the process knows. */
    long address() {
        return NativeMemory.address(memory);
    }
}
