// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;

/**
 * Thrown when the library has no provider for the device's driver: the control path works, but queues cannot be used.
 */
public final class UnsupportedDriverException extends RdmaException {
    private static final long serialVersionUID = 1L;

    UnsupportedDriverException(RdmaDevice device, String reason) {
        super("device " + device.name() + " has driver " + device.driverName() + " (" + device.driverId()
                + ", ABI " + device.driverAbi() + "): " + reason + ". The control path works (queries, protection"
                + " domains, memory regions, connection management); the data path does not (completion queues, queue"
                + " pairs)");
    }
}
