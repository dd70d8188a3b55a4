// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.List;

/**
 * The RDMA devices of a kernel ({@code ibv_get_device_list(3)}). Every call asks the kernel anew: devices come, go and
 * are renamed at any time. Safe for use by several threads.
 */
public final class RdmaDevices {
    private RdmaDevices() {}

    /** {@link #list(Kernel)} of the running kernel. */
    public static List<RdmaDevice> list() throws RdmaException {
        return list(Kernel.running());
    }

    /**
     * All devices that the network namespace of this process may see. RDMA netlink is asked first; where RDMA netlink does
     * not answer (no RDMA module is loaded, an old kernel, a container that forbids the socket), sysfs says less.
     */
    public static List<RdmaDevice> list(Kernel kernel) throws RdmaException {
        return Discovery.list(kernel);
    }

    /** {@link #find(Kernel, String)} in the running kernel. */
    public static RdmaDevice find(String name) throws RdmaException {
        return find(Kernel.running(), name);
    }

    /**
     * The device with a name, such as {@code rxe0}.
     *
     * @throws ErrnoException with ENODEV when there is no such device; the message lists the devices that exist
     */
    public static RdmaDevice find(Kernel kernel, String name) throws RdmaException {
        return Discovery.find(kernel, name);
    }

    /** True when the library has a provider for the device, so that programs can use its queues. */
    public static boolean hasDataPath(RdmaDevice device) {
        return Providers.hasDataPath(device);
    }
}
