// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.lang.ref.Cleaner;
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
    private static final Cleaner CLEANER = Cleaner.create();

    private final List<SharedDevice> devices;
    private final Map<String, RdmaException> failures;
    private final Release release;

    private CmDevices(List<SharedDevice> devices, Map<String, RdmaException> failures) {
        this.devices = devices;
        this.failures = failures;
        this.release = new Release(devices, new AtomicBoolean());
        CLEANER.register(this, release);
    }

    /** Lets go of the devices once; knows nothing of the object, which may have become garbage. */
    private record Release(List<SharedDevice> devices, AtomicBoolean done) implements Runnable {
        void now() throws RdmaException {
            if (done.compareAndSet(false, true)) {
                FirstFailure failure = new FirstFailure();
                devices.forEach(device -> failure.attempt(device::release));
                failure.throwIfAny();
            }
        }

        @Override
        public void run() {
            try {
                now();
            } catch (RdmaException | RuntimeException unreported) {
                // What could not be closed goes with the process.
            }
        }
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
            } catch (RuntimeException | Error e) {
                new Release(opened, new AtomicBoolean()).run();
                throw e;
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
        release.now();
    }

    @Override
    public String toString() {
        return "CmDevices" + contexts();
    }
}
