// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.List;

/**
 * The RDMA devices of a kernel ({@code ibv_get_device_list(3)}). Every call queries the kernel again, because devices
 * may appear, disappear and be renamed at any time. Safe for use by several threads.
 */
public final class RdmaDevices {
    private RdmaDevices() {}

    /** Returns the devices of the running kernel, as {@link #list(Kernel)} does. */
    public static List<RdmaDevice> list() throws RdmaException {
        return list(Kernel.running());
    }

    /**
     * Returns all devices that are visible in the network namespace of this process. RDMA netlink is queried first. If
     * it does not answer (no RDMA module is loaded, the kernel is too old, or a container forbids the socket), the list
     * comes from sysfs, with fewer details.
     */
    public static List<RdmaDevice> list(Kernel kernel) throws RdmaException {
        return Discovery.list(kernel);
    }

    /** Returns a device of the running kernel, as {@link #find(Kernel, String)} does. */
    public static RdmaDevice find(String name) throws RdmaException {
        return find(Kernel.running(), name);
    }

    /**
     * Returns the device named {@code name}, such as {@code rxe0}.
     *
     * @throws ErrnoException ENODEV if there is no such device; the message lists the devices that exist
     */
    public static RdmaDevice find(Kernel kernel, String name) throws RdmaException {
        return Discovery.find(kernel, name);
    }

    /** Returns true if the library has a provider for the device, so that programs can use its queues. */
    public static boolean hasDataPath(RdmaDevice device) {
        return Providers.hasDataPath(device);
    }
}
