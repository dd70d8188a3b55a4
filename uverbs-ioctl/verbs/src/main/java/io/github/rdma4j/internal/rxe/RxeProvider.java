// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/** The data path of soft-RoCE: rings in memory shared with the kernel, and a doorbell by write(2). */
public final class RxeProvider implements Provider {
    /** The ABI whose structs are the same for 32-bit and 64-bit user space, since Linux 4.19. */
    private static final int ABI = 2;

    /** For {@link java.util.ServiceLoader}. */
    public RxeProvider() {}

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_RXE;
    }

    @Override
    public int oldestDriverAbi() {
        return ABI;
    }

    @Override
    public int newestDriverAbi() {
        return ABI;
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(0, reply -> new RxeContext(device));
    }
}
