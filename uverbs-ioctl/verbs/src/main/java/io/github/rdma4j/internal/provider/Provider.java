// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.ByteBuffer;

/**
 * The data path of one kernel driver: the memory layout of its queues, and the doorbells. Found by {@link
 * java.util.ServiceLoader} and chosen by the driver id that the kernel reports for the device.
 *
 * <p>An implementation must be stateless: the state of an open device is kept in a {@link DriverContext}.
 */
public abstract class Provider {
    private final int driverId;
    private final int oldestDriverAbi;
    private final int newestDriverAbi;
    private final boolean ringsMappedDoorbells;

    /** The parameters are the results of the methods with their names. */
    protected Provider(int driverId, int oldestDriverAbi, int newestDriverAbi, boolean ringsMappedDoorbells) {
        this.driverId = driverId;
        this.oldestDriverAbi = oldestDriverAbi;
        this.newestDriverAbi = newestDriverAbi;
        this.ringsMappedDoorbells = ringsMappedDoorbells;
    }

    /** The driver, {@code RDMA_DRIVER_*} of uapi {@code rdma/ib_user_ioctl_verbs.h}. */
    public final int driverId() {
        return driverId;
    }

    /** The oldest driver ABI that the provider speaks. */
    public final int oldestDriverAbi() {
        return oldestDriverAbi;
    }

    /** The newest driver ABI that the provider speaks. */
    public final int newestDriverAbi() {
        return newestDriverAbi;
    }

    /**
     * True if the process rings doorbells by stores to a mapped register. The order of that store after the stores to
     * the queue depends on the processor: it is proven on x86-64 only.
     */
    public final boolean ringsMappedDoorbells() {
        return ringsMappedDoorbells;
    }

    /**
     * The driver's part of GET_CONTEXT, the command that makes {@code device} a context. {@link Creation#finish} gets
     * the driver's part of the reply, and may use all of {@code device}; before then, only {@link Device#allocate}
     * works.
     */
    public abstract Creation<ByteBuffer, DriverContext> context(Device device);
}
