// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/** A kernel in memory with one ConnectX-3, {@code mlx4_0}, in software. */
public final class Mlx4Kernel extends CardKernel {
    /** The name of the device. */
    public static final String DEVICE = Mlx4Model.DEVICE;

    /** A kernel as it comes. */
    public Mlx4Kernel() {
        this(new Mlx4Settings());
    }

    public Mlx4Kernel(Mlx4Settings settings) {
        super(settings);
    }
}
