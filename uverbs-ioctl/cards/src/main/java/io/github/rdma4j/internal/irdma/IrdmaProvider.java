// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import static io.github.rdma4j.internal.irdma.IrdmaAbi.CONTEXT_REQUEST;
import static io.github.rdma4j.internal.irdma.IrdmaAbi.IRDMA_ABI_VER;
import static io.github.rdma4j.internal.irdma.IrdmaAbi.IRDMA_ALLOC_UCTX_USE_RAW_ATTR;
import static io.github.rdma4j.internal.irdma.IrdmaAbi.Newer.IRDMA_SUPPORT_WQE_FORMAT_V2;
import static io.github.rdma4j.internal.irdma.IrdmaAbi.REQUEST_COMP_MASK;
import static io.github.rdma4j.internal.irdma.IrdmaAbi.USERSPACE_VER;

import io.github.rdma4j.internal.provider.CardProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/**
 * The data path of Intel's RDMA devices of generations 1 to 3: rings in memory of the process, registered with the
 * kernel as memory regions, and a doorbell by one store to a mapped page.
 *
 * <p>Not implemented, because they affect only the speed: push pages, which carry elements to the device with the
 * doorbell.
 */
public final class IrdmaProvider extends CardProvider {
    /** The size of the driver's part of the reply to GET_CONTEXT, up to its last field. */
    public static final int CONTEXT_REPLY = Attributes.REPLY_BYTES;

    /** For {@link java.util.ServiceLoader}. */
    public IrdmaProvider() {
        super(DriverIds.RDMA_DRIVER_IRDMA, IRDMA_ABI_VER, IRDMA_ABI_VER);
    }

    /** Reports the request formats that the process supports. */
    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(
                DriverExchange.of(CONTEXT_REQUEST, CONTEXT_REPLY, request -> {
                    request.putByte(USERSPACE_VER, IRDMA_ABI_VER);
                    request.putLong(REQUEST_COMP_MASK, IRDMA_ALLOC_UCTX_USE_RAW_ATTR | IRDMA_SUPPORT_WQE_FORMAT_V2);
                }),
                reply -> IrdmaContext.open(device, Attributes.of(reply)));
    }
}
