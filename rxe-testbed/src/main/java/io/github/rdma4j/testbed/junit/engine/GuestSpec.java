// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.util.Locale;

/** What a test asks of its guest. Tests with equal specifications share a guest. */
record GuestSpec(String kernel, int nodes, int memoryMib, SoftRoce.Device device, Backend backend) {
    static GuestSpec of(SoftRoce annotation, Settings settings) {
        return new GuestSpec(
                annotation.kernel().isEmpty() ? settings.kernel() : annotation.kernel(),
                annotation.nodes(),
                annotation.memory(),
                annotation.device(),
                settings.backend(annotation));
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
