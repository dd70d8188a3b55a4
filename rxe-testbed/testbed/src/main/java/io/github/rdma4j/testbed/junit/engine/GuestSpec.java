// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Device;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.util.Locale;

/** What a test asks of its guest. Tests with equal specifications share a guest. */
record GuestSpec(String kernel, int nodes, int memoryMib, Device device, Backend backend) {
    static GuestSpec of(SoftRoce annotation, Settings settings) {
        String kernel = annotation.kernel().isEmpty() ? settings.kernel() : annotation.kernel();
        Backend backend = settings.backend(annotation);
        // The kernel of User Mode Linux is one of its own, and QEMU alone has this device.
        boolean inQemu = !kernel.isEmpty() || annotation.device() == Device.PVRDMA;
        return new GuestSpec(
                kernel,
                annotation.nodes(),
                annotation.memory(),
                annotation.device(),
                backend == Backend.UML && inQemu ? Backend.VM : backend);
    }

    /** A word for a unique id and for messages. */
    @Override
    public String toString() {
        return backend.label() + ","
                + (kernel.isEmpty() ? "" : kernel + ",")
                + device.name().toLowerCase(Locale.ROOT)
                + (nodes == 1 ? "" : ",nodes=" + nodes)
                + (memoryMib == 0 ? "" : ",memory=" + memoryMib);
    }
}
