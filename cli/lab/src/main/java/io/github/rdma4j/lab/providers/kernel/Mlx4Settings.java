// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.kernel;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi;
import io.github.rdma4j.lab.providers.card.Timing;

/** What kind of kernel, driver and device an {@link Mlx4Kernel} has. As it comes: a RoCE port, and completions of 64 bytes. */
public final class Mlx4Settings extends CardSettings {
    int entryBytes = 2 * CqeBytes.BYTES;

    /** A kernel as it comes. */
    public Mlx4Settings() {
        super(new Mlx4Model());
        xrc = true;
        driverAbi = Mlx4Abi.MLX4_IB_UVERBS_ABI_VERSION;
    }

    @Override
    public Mlx4Kernel start() {
        return new Mlx4Kernel(this);
    }

    /** The pace of the device. */
    public Mlx4Settings timing(Timing value) {
        timing = value;
        return this;
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

    /** The ABI of the driver that the device reports. */
    public Mlx4Settings driverAbi(int abi) {
        driverAbi = abi;
        return this;
    }

    /** A device that gives the number of a queue pair that is gone to the next object. */
    public Mlx4Settings withNumbersAgain() {
        numbersAgain = true;
        return this;
    }

    /** A device without XRC. */
    public Mlx4Settings withoutXrc() {
        xrc = false;
        return this;
    }

    /** The soft limit of RLIMIT_MEMLOCK. */
    public Mlx4Settings lockedBytes(long limit) {
        lockedBytes = limit;
        return this;
    }

    @Override
    public Mlx4Settings sharing(SharedPages pages) {
        super.sharing(pages);
        return this;
    }

    @Override
    public String toString() {
        return "completions of " + entryBytes + " bytes, " + timing;
    }
}
