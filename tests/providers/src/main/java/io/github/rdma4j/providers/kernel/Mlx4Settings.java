// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi;
import java.nio.ByteBuffer;

/** What kind of kernel, driver and device a {@link CardKernel} has. As it comes: a RoCE port, and completions of 64 bytes. */
public final class Mlx4Settings extends CardSettings<Mlx4Settings> {
    private static final int XRC_QPN = 1 << 23;

    int entryBytes = 2 * CqeBytes.BYTES;

    /** A kernel as it comes. */
    public Mlx4Settings() {
        super(DriverModel.MLX4);
        xrc = true;
        driverAbi = Mlx4Abi.MLX4_IB_UVERBS_ABI_VERSION;
    }

    /** A device whose completions have 32 bytes, and the version of the ABI that goes with it. */
    public Mlx4Settings withSmallCompletions() {
        entryBytes = CqeBytes.BYTES;
        driverAbi = Mlx4Abi.MLX4_IB_UVERBS_NO_DEV_CAPS_ABI_VERSION;
        return this;
    }

    /** The size of completions that the driver says. */
    public Mlx4Settings entryBytes(int bytes) {
        entryBytes = bytes;
        return this;
    }

    @Override
    int targetNumber(int free) {
        return XRC_QPN | free;
    }

    @Override
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new Mlx4UserContext(hca, file, this);
    }

    @Override
    public String toString() {
        return "completions of " + entryBytes + " bytes, " + timing;
    }
}
