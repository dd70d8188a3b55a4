// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.DriverParts;
import java.nio.ByteBuffer;

/** The data path of soft-iWARP: rings in memory shared with the kernel, and a doorbell by write(2). */
public final class SiwProvider implements Provider {
    /** For {@link java.util.ServiceLoader}. */
    public SiwProvider() {}

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_SIW;
    }

    @Override
    public int oldestDriverAbi() {
        return SiwConstants.SIW_ABI_VERSION;
    }

    @Override
    public int newestDriverAbi() {
        return SiwConstants.SIW_ABI_VERSION;
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(DriverParts.SIW_CONTEXT_REPLY, reply -> new SiwContext(device));
    }
}
