// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/** A kernel in memory with one ConnectX, {@code mlx5_0}, in software. */
public final class Mlx5Kernel extends CardKernel {
    /** The name of the device. */
    public static final String DEVICE = Mlx5Model.DEVICE;

    /** A kernel as it comes. */
    public Mlx5Kernel() {
        this(new Mlx5Settings());
    }

    public Mlx5Kernel(Mlx5Settings settings) {
        super(settings);
    }
}
