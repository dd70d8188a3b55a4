// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.machine.Devices;

/** The RDMA device of a testbed's nodes. */
public enum Device {
    /** {@code rxe0}: RoCE version 2 in software. */
    RXE(Devices.RXE, "rxe"),
    /** {@code siw0}: iWARP in software. The first use for a kernel builds the module, which takes gcc, make and a minute. */
    SIW(Devices.SIW, "siw"),
    /** {@code vmw_pvrdma0}: QEMU's device, whose queues belong to the process. It reaches no other node. */
    PVRDMA(Devices.PVRDMA, ""),
    /** None: a machine without RDMA. */
    NONE(Devices.NONE, "");

    private final Devices devices;
    private final String linkType;

    Device(Devices devices, String linkType) {
        this.devices = devices;
        this.linkType = linkType;
    }

    static Device of(Devices devices) {
        return valueOf(devices.name());
    }

    Devices devices() {
        return devices;
    }

    /** What {@code rdma link add} calls it; empty for a device that the command does not make. */
    String linkType() {
        return linkType;
    }
}
