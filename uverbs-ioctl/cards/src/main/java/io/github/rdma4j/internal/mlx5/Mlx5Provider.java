// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextReqV2;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.provider.CardProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/**
 * The data path of NVIDIA ConnectX and BlueField: rings in memory of the process, and a doorbell by one store to a
 * mapped page.
 *
 * <p>Not implemented, because they affect only the speed: BlueFlame, which sends the work queue element with the
 * doorbell; compressed completions; received data inside completions; ECE.
 */
public final class Mlx5Provider extends CardProvider {
    /** The number of registers, which the kernel checks although the context gets doorbell pages. */
    private static final int REGISTERS = 16;

    private static final int REGISTERS_OF_ONE = 4;

    /** For {@link java.util.ServiceLoader}. */
    public Mlx5Provider() {
        super(DriverIds.RDMA_DRIVER_MLX5, Mlx5Abi.MLX5_IB_UVERBS_ABI_VERSION, Mlx5Abi.MLX5_IB_UVERBS_ABI_VERSION);
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return Creation.of(
                DriverExchange.of(AllocUcontextReqV2.BYTES, AllocUcontextResp.BYTES, request -> {
                    request.putInt(AllocUcontextReqV2.TOTAL_NUM_BFREGS, REGISTERS);
                    request.putInt(AllocUcontextReqV2.NUM_LOW_LATENCY_BFREGS, REGISTERS_OF_ONE);
                    request.putByte(AllocUcontextReqV2.MAX_CQE_VERSION, Mlx5Parts.NEWEST_CQE_VERSION);
                    request.putLong(
                            AllocUcontextReqV2.LIB_CAPS, Mlx5Abi.MLX5_LIB_CAP_4K_UAR | Mlx5Abi.MLX5_LIB_CAP_DYN_UAR);
                }),
                granted -> new Mlx5Context(Mlx5Parts.open(device, granted)));
    }
}
