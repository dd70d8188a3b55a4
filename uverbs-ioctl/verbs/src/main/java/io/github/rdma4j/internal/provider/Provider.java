// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.ByteBuffer;

/**
 * The data path of one kernel driver: the memory layout of its queues, and the doorbells. Found by {@link
 * java.util.ServiceLoader} and chosen by the driver id that the kernel reports for the device.
 *
 * <p>An implementation must be stateless: the state of an open device is kept in a {@link DriverContext}.
 */
public interface Provider {
    /** The driver, {@code RDMA_DRIVER_*} of uapi {@code rdma/ib_user_ioctl_verbs.h}. */
    int driverId();

    /** The oldest driver ABI that the provider speaks. */
    int oldestDriverAbi();

    /** The newest driver ABI that the provider speaks. */
    int newestDriverAbi();

    /**
     * True if the process rings doorbells by stores to a mapped register. The order of that store after the stores to
     * the queue depends on the processor: it is proven on x86-64 only.
     */
    default boolean ringsMappedDoorbells() {
        return false;
    }

    /**
     * The driver's part of GET_CONTEXT, the command that makes {@code device} a context. {@link Creation#finish} gets
     * the driver's part of the reply, and may use all of {@code device}; before then, only {@link Device#allocate}
     * works.
     */
    Creation<ByteBuffer, DriverContext> context(Device device);
}
