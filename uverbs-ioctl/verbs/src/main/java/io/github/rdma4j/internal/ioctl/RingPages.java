// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.memory.KernelMapping;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import java.nio.ByteBuffer;

/**
 * Pages behind a ring.
 *
 * @param pages mapped from the device, or allocated by the process
 */
public record RingPages(KernelMapping pages) implements RingMemory {
    @Override
    public ByteBuffer buffer() {
        return pages.buffer();
    }

    @Override
    public void retire() {
        pages.retire();
    }
}
