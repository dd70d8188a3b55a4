// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.abi.DeviceAttr;
import io.github.rdma4j.verbs.discovery.RdmaDevice;
import io.github.rdma4j.verbs.discovery.RdmaDevices;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The device context and default protection domain that all CM ids on one device share.
 *
 * <p>Opened for the first id, and closed after the last as soon as nothing made on it is left: so that ids may come and
 * go without their users' memory regions going with them, and the device is free once all is closed.
 */
final class SharedDevice {
    private static final int MAX_DEPTH = 0xff;

    /** Held while a device is opened, so that others wait for it; a virtual thread waits without its carrier. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    /** Guarded by {@link #LOCK}. */
    private static final Map<Key, SharedDevice> OPEN = new HashMap<>();

    private final Key key;
    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final int maxResponderResources;
    private final int maxInitiatorDepth;

    /** Ids on the device; guarded by {@link #LOCK}. */
    private int users;

    private record Key(Kernel kernel, int ibdevIndex, long nodeGuid) {}

    private SharedDevice(Key key, DeviceContext context) throws RdmaException {
        this.key = key;
        this.context = context;
        this.pd = context.allocatePd();
        DeviceAttr limits = context.queryDevice();
        this.maxResponderResources = Math.min(limits.maxQpRdAtom(), MAX_DEPTH - 1);
        this.maxInitiatorDepth = Math.min(limits.maxQpInitRdAtom(), MAX_DEPTH - 1);
    }

    /** The device by the numbers that the connection manager gives; every call is to be matched by a release. */
    static SharedDevice acquire(Kernel kernel, int ibdevIndex, long nodeGuid) throws RdmaException {
        Key key = new Key(kernel, ibdevIndex, nodeGuid);
        LOCK.lock();
        try {
            SharedDevice device = OPEN.get(key);
            if (device == null) {
                RdmaDevice found = RdmaDevices.findByGuid(kernel, ibdevIndex, nodeGuid);
                device = open(key, DeviceContext.open(kernel, found));
                OPEN.put(key, device);
            }
            device.users++;
            return device;
        } finally {
            LOCK.unlock();
        }
    }

    private static SharedDevice open(Key key, DeviceContext context) throws RdmaException {
        try {
            return new SharedDevice(key, context);
        } catch (RdmaException e) {
            context.close();
            throw e;
        }
    }

    void release() throws RdmaException {
        LOCK.lock();
        try {
            users--;
            if (users == 0) {
                OPEN.remove(key);
                pd.closeWhenUnused();
                context.closeWhenUnused();
            }
        } finally {
            LOCK.unlock();
        }
    }

    DeviceContext context() {
        return context;
    }

    ProtectionDomain pd() {
        return pd;
    }

    /** RDMA reads that the device can answer at a time on one queue pair. */
    int maxResponderResources() {
        return maxResponderResources;
    }

    /** RDMA reads that the device can have outstanding on one queue pair. */
    int maxInitiatorDepth() {
        return maxInitiatorDepth;
    }
}
