// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.discovery.RdmaDevice;
import io.github.rdma4j.verbs.discovery.RdmaDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The RDMA devices of the machine as CM ids share them ({@code rdma_get_devices(3)}): the contexts are the same objects
 * that {@link CmId#context()} gives, so that queues made before there is an id serve ids on the device later. Closing lets
 * go of them ({@code rdma_free_devices(3)}); a context stays open as long as an id, or anything made on it, needs it.
 *
 * <p>A device that cannot be opened is left out, and {@link #failures()} says why.
 */
public final class CmDevices implements AutoCloseable {
    private final List<SharedDevice> devices;
    private final Map<String, RdmaException> failures;
    private final AtomicBoolean closed = new AtomicBoolean();

    private CmDevices(List<SharedDevice> devices, Map<String, RdmaException> failures) {
        this.devices = devices;
        this.failures = failures;
    }

    /** Opens all devices of the running kernel, in the order of their index. */
    public static CmDevices open() throws RdmaException {
        Kernel kernel = Kernel.running();
        List<SharedDevice> opened = new ArrayList<>();
        Map<String, RdmaException> failures = new TreeMap<>();
        for (RdmaDevice device : RdmaDevices.list(kernel)) {
            try {
                opened.add(SharedDevice.acquire(kernel, device.index(), device.nodeGuid()));
            } catch (RdmaException e) {
                failures.put(device.name(), e);
            }
        }
        return new CmDevices(List.copyOf(opened), failures);
    }

    /** The contexts; do not close them. */
    public List<DeviceContext> contexts() {
        return devices.stream().map(SharedDevice::context).toList();
    }

    /** The protection domain that ids on the device share; empty for a context of another origin. */
    public Optional<ProtectionDomain> pd(DeviceContext context) {
        return devices.stream()
                .filter(device -> device.context() == context)
                .map(SharedDevice::pd)
                .findFirst();
    }

    /** Why a device could not be opened, by its name. */
    public Map<String, RdmaException> failures() {
        return Map.copyOf(failures);
    }

    /** Lets go of the contexts. Idempotent. */
    @Override
    public void close() throws RdmaException {
        if (closed.compareAndSet(false, true)) {
            for (SharedDevice device : devices) {
                device.release();
            }
        }
    }

    @Override
    public String toString() {
        return "CmDevices" + contexts();
    }
}
