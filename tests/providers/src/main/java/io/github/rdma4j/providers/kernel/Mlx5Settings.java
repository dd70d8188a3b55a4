// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import java.nio.ByteBuffer;

/** What kind of kernel, driver and device a {@link CardKernel} has. As it comes: a RoCE port, and all that Linux 6.1 offers. */
public final class Mlx5Settings extends CardSettings<Mlx5Settings> {
    /** The name of the device. */
    public static final String DEVICE = DriverModel.MLX5.device();

    boolean writeCombining = true;
    boolean destinationMac = true;
    int uars = 512;
    int cqeVersion = 1;
    int contextReplyBytes = 72;

    /** A kernel as it comes. */
    public Mlx5Settings() {
        super(DriverModel.MLX5);
        xrc = true;
    }

    /** A system that has no write combining, such as some virtual machines. */
    public Mlx5Settings withoutWriteCombining() {
        writeCombining = false;
        return this;
    }

    /** A device without atomic operations. */
    public Mlx5Settings withoutAtomics() {
        atomics = false;
        return this;
    }

    /** A device without XRC. */
    public Mlx5Settings withoutXrc() {
        xrc = false;
        return this;
    }

    /** A kernel before 4.10, which does not look up hardware addresses. */
    public Mlx5Settings withoutDestinationMac() {
        destinationMac = false;
        return this;
    }

    /** How many doorbell pages the device has. */
    public Mlx5Settings uars(int pages) {
        uars = pages;
        return this;
    }

    /** The version of the completions that the device has at most. */
    public Mlx5Settings cqeVersion(int version) {
        cqeVersion = version;
        return this;
    }

    /** The size of GET_CONTEXT's reply as this driver knows it; 72 is today's. */
    public Mlx5Settings contextReplyBytes(int bytes) {
        contextReplyBytes = bytes;
        return this;
    }

    @Override
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new Mlx5UserContext(hca, file, request, this);
    }

    @Override
    public String toString() {
        return "completions of version " + cqeVersion + ", " + timing;
    }
}
