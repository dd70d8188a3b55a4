// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextReq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.provider.CardProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/**
 * The data path of Broadcom's NetXtreme-E: rings in memory of the process, and doorbells by one store to a mapped page.
 *
 * <p>Not implemented, because they affect only the speed: push pages, which carry elements to the device with the
 * doorbell, and pacing of doorbells among thousands of processes.
 */
public final class BnxtProvider extends CardProvider {
    /** For {@link java.util.ServiceLoader}. */
    public BnxtProvider() {
        super(DriverIds.RDMA_DRIVER_BNXT_RE, BnxtAbi.BNXT_RE_ABI_VERSION, BnxtAbi.BNXT_RE_ABI_VERSION);
    }

    /** Reports the ring formats that the process supports. */
    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(
                DriverExchange.of(
                        ContextReq.BYTES,
                        ContextResp.BYTES,
                        request -> request.putLong(
                                ContextReq.COMP_MASK,
                                Newer.BNXT_RE_COMP_MASK_REQ_UCNTX_POW2_SUPPORT
                                        | Newer.BNXT_RE_COMP_MASK_REQ_UCNTX_VAR_WQE_SUPPORT)),
                reply -> BnxtContext.open(device, Chip.of(reply)));
    }
}
