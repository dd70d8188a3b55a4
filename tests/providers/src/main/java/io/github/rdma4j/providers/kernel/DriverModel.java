// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import java.nio.ByteBuffer;

/** A driver in the kernel: what the device is, and the driver's part of commands. */
interface DriverModel {
    /** The name of the device. */
    String device();

    /** {@code RDMA_DRIVER_*}. */
    int driverId();

    /** Whether a command with that id is one for this driver. */
    default boolean isCalled(int id) {
        return id == driverId();
    }

    /** Whether the device is one of iWARP. */
    default boolean isIwarp() {
        return false;
    }

    /** The number of a target of XRC that gets the number {@code free}. */
    default int targetNumber(int free) {
        return free;
    }

    /** The reply of QUERY_DEVICE. */
    void describe(Hca hca, ByteBuffer reply);

    /** What GET_CONTEXT agrees on; {@code request} is the driver's, of any length. */
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal;
}
