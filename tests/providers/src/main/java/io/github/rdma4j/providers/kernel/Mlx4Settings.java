// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi;

/** What kind of kernel, driver and device an {@link Mlx4Kernel} has. As it comes: a RoCE port, and completions of 64 bytes. */
public final class Mlx4Settings extends CardSettings<Mlx4Settings> {
    int entryBytes = 2 * CqeBytes.BYTES;

    /** A kernel as it comes. */
    public Mlx4Settings() {
        super(new Mlx4Model());
        xrc = true;
        driverAbi = Mlx4Abi.MLX4_IB_UVERBS_ABI_VERSION;
    }

    @Override
    Mlx4Settings self() {
        return this;
    }

    @Override
    public Mlx4Kernel start() {
        return new Mlx4Kernel(this);
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

    /** A device without XRC. */
    public Mlx4Settings withoutXrc() {
        xrc = false;
        return this;
    }

    @Override
    public String toString() {
        return "completions of " + entryBytes + " bytes, " + timing;
    }
}
