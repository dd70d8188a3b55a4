// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.ByteBuffer;

/**
 * The data path of one kernel driver: how its queues lie in memory and how the device learns of new work. Found by
 * {@link java.util.ServiceLoader} and chosen by the driver id that the kernel reports for the device.
 *
 * <p>An implementation must be stateless: what an open device needs to remember is kept in a {@link DriverContext}.
 */
public interface Provider {
    /** The driver, {@code RDMA_DRIVER_*} of uapi {@code rdma/ib_user_ioctl_verbs.h}. */
    int driverId();

    /** The oldest driver ABI that the provider speaks. */
    int oldestDriverAbi();

    /** The newest driver ABI that the provider speaks. */
    int newestDriverAbi();

    /**
     * Whether the process itself tells the device of new work, by a store to a mapped register. The order of that store and of
     * the elements before it is a matter of the processor: it is proven on x86-64 only.
     */
    default boolean ringsMappedDoorbells() {
        return false;
    }

    /**
     * The driver's part of GET_CONTEXT, the command that makes {@code device} a context. {@link Creation#finish} gets
     * what the driver added to the reply, and may use all of {@code device}; before that only {@link Device#allocate}
     * works.
     */
    Creation<ByteBuffer, DriverContext> context(Device device);
}
