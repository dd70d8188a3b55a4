// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.CardProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.pvrdma.PvrdmaAbi.AllocUcontextResp;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/**
 * The data path of VMware's paravirtual device, which QEMU emulates up to 9.0: rings in memory of the process, and
 * doorbells of 32 bits in a mapped page. The process resolves the addresses of datagrams, because the driver does not.
 */
public final class PvrdmaProvider extends CardProvider {
    /** For {@link java.util.ServiceLoader}. */
    public PvrdmaProvider() {
        super(
                DriverIds.RDMA_DRIVER_VMW_PVRDMA,
                PvrdmaAbi.PVRDMA_UVERBS_ABI_VERSION,
                PvrdmaAbi.PVRDMA_UVERBS_ABI_VERSION);
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(
                AllocUcontextResp.BYTES,
                reply -> new PvrdmaContext(new PvrdmaParts(
                        device,
                        device.mapDoorbells(0, device.pageSize(), "pvrdma registers"),
                        new QueueNumbers(reply.getInt(AllocUcontextResp.QP_TAB_SIZE)))));
    }
}
