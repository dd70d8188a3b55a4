// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextReqV2;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/**
 * The data path of NVIDIA ConnectX and BlueField: rings in memory of the process, and a doorbell by one store to a
 * mapped page.
 *
 * <p>Not implemented, because they affect only the speed: BlueFlame, which sends the work queue element with the
 * doorbell; compressed completions; received data inside completions; ECE.
 */
public final class Mlx5Provider implements Provider {
    /** For {@link java.util.ServiceLoader}. */
    public Mlx5Provider() {}

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_MLX5;
    }

    @Override
    public int oldestDriverAbi() {
        return Mlx5Abi.MLX5_IB_UVERBS_ABI_VERSION;
    }

    @Override
    public int newestDriverAbi() {
        return Mlx5Abi.MLX5_IB_UVERBS_ABI_VERSION;
    }

    @Override
    public boolean ringsMappedDoorbells() {
        return true;
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return new ContextCreation(device);
    }

    /**
     * The driver's part of GET_CONTEXT.
     *
     * @param device the open device, without a context yet
     */
    private record ContextCreation(Device device) implements Creation<ByteBuffer, DriverContext> {
        /** The number of registers, which the kernel checks although the context gets doorbell pages. */
        private static final int REGISTERS = 16;

        private static final int REGISTERS_OF_ONE = 4;

        @Override
        public int requestBytes() {
            return AllocUcontextReqV2.BYTES;
        }

        @Override
        public void writeRequest(DriverRequest request) {
            int capabilities = Mlx5Abi.MLX5_LIB_CAP_4K_UAR | Mlx5Abi.MLX5_LIB_CAP_DYN_UAR;
            request.putInt(AllocUcontextReqV2.TOTAL_NUM_BFREGS, REGISTERS);
            request.putInt(AllocUcontextReqV2.NUM_LOW_LATENCY_BFREGS, REGISTERS_OF_ONE);
            request.putByte(AllocUcontextReqV2.MAX_CQE_VERSION, ContextReply.CQE_VERSION);
            request.putLong(AllocUcontextReqV2.LIB_CAPS, capabilities);
        }

        @Override
        public int replyBytes() {
            return AllocUcontextResp.BYTES;
        }

        @Override
        public DriverContext finish(ByteBuffer granted) throws RdmaException {
            ContextReply reply = ContextReply.of(granted);
            return new Mlx5Context(Mlx5Parts.of(device, reply, Mlx5Doorbells.open(device)));
        }

        @Override
        public void abandon(boolean destroyed) {}
    }
}
