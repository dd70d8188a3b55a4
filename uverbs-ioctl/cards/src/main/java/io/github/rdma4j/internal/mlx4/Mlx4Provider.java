// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.internal.provider.CardProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/**
 * The data path of NVIDIA ConnectX-2 and ConnectX-3: rings in memory of the process, and a doorbell by one store to a
 * mapped page.
 *
 * <p>Not implemented, because it affects only the speed: BlueFlame, which sends the work queue element with the
 * doorbell.
 */
public final class Mlx4Provider extends CardProvider {
    /** For {@link java.util.ServiceLoader}. */
    public Mlx4Provider() {
        super(
                DriverIds.RDMA_DRIVER_MLX4,
                Mlx4Abi.MLX4_IB_UVERBS_NO_DEV_CAPS_ABI_VERSION,
                Mlx4Abi.MLX4_IB_UVERBS_ABI_VERSION);
    }

    /** The command has no driver request. */
    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(AllocUcontextResp.BYTES, granted -> new Mlx4Context(Mlx4Parts.open(device, granted)));
    }
}
