// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The properties of a test's guest. Tests with equal properties share a guest. */
record GuestSpec(String kernel, int nodes, int memoryMib, Testbed.Device device, int ports, Backend backend) {
    static GuestSpec of(SoftRoce annotation, Settings settings) {
        String kernel = annotation.kernel().isEmpty() ? settings.kernel() : annotation.kernel();
        Backend backend = settings.backend(annotation);
        // User Mode Linux has only one kernel, and only QEMU has this device.
        boolean inQemu = !kernel.isEmpty() || annotation.device() == Testbed.Device.PVRDMA;
        return new GuestSpec(
                kernel,
                annotation.nodes(),
                annotation.memory(),
                annotation.device(),
                annotation.ports(),
                backend == Backend.UML && inQemu ? Backend.VM : backend);
    }

    /** A word for a unique id and for messages. */
    @Override
    public String toString() {
        return backend.label() + ","
                + (kernel.isEmpty() ? "" : kernel + ",")
                + device.name().toLowerCase(Locale.ROOT)
                + (nodes == 1 ? "" : ",nodes=" + nodes)
                + (ports == 1 ? "" : ",ports=" + ports)
                + (memoryMib == 0 ? "" : ",memory=" + memoryMib);
    }

    /**
     * The choices of the user, beside the annotations.
     *
     * @param backend the backend; null for the configured backend
     * @param kernel the series for tests without a series; empty for the default of the testbed
     * @param inGuest whether this JVM runs in a guest already
     */
    record Settings(@Nullable Backend backend, String kernel, boolean inGuest) {
        static Settings ofThisProcess() {
            return new Settings(
                    null,
                    System.getProperty("rdma4j.testbed.kernel", ""),
                    System.getenv().getOrDefault("RDMA4J_GUEST", "").equals("1"));
        }

        /**
         * The backend of a test: the configured backend if the test can run there, otherwise the first backend of the
         * annotation.
         */
        Backend backend(SoftRoce annotation) {
            try {
                List<Backend> possible = List.of(annotation.backend());
                Backend chosen = Backend.resolve(Optional.ofNullable(backend));
                return possible.isEmpty() || possible.contains(chosen) ? chosen : possible.get(0);
            } catch (TestbedException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
    }
}
