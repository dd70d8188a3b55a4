// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.AllocCtxResp;
import io.github.rdma4j.internal.provider.CardProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/**
 * The data path of Alibaba Cloud's elastic RDMA adapter: rings in memory of the process, and a doorbell by one store to
 * a mapped page.
 *
 * <p>Not implemented, because they affect only the speed: direct work queue elements, which are sent with the doorbell.
 */
public final class ErdmaProvider extends CardProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ErdmaProvider() {
        super(DriverIds.RDMA_DRIVER_ERDMA, 0, ErdmaAbi.ERDMA_ABI_VERSION);
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(
                AllocCtxResp.BYTES,
                reply -> new ErdmaContext(ErdmaParts.of(device, ErdmaDoorbells.map(device, reply))));
    }
}
