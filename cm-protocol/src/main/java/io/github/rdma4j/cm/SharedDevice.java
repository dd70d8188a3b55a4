// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceAttr;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.RdmaDevice;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The device context and default protection domain that all CM ids on one device share.
 *
 * <p>Opened for the first id, and closed after the last as soon as nothing made on it is left: so that ids may come and
 * go without their users' memory regions going with them, and the device is free once all is closed.
 */
final class SharedDevice {
    private static final int MAX_DEPTH = 0xff;

    /** Every device that is open, or is being opened; not those that are closed while ids still hold them. */
    private static final Map<Key, Place> PLACES = new ConcurrentHashMap<>();

    private final Place place;
    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final int maxResponderResources;
    private final int maxInitiatorDepth;

    private record Key(Kernel kernel, int ibdevIndex, long nodeGuid) {}

    private SharedDevice(Place place, DeviceContext context) throws RdmaException {
        this.place = place;
        this.context = context;
        this.pd = context.allocatePd();
        DeviceAttr limits = context.queryDevice();
        this.maxResponderResources = Math.min(limits.maxQpRdAtom(), MAX_DEPTH - 1);
        this.maxInitiatorDepth = Math.min(limits.maxQpInitRdAtom(), MAX_DEPTH - 1);
    }

    /** The device by the numbers that the connection manager gives; a release must follow every call. */
    static SharedDevice acquire(Kernel kernel, int ibdevIndex, long nodeGuid) throws RdmaException {
        Key key = new Key(kernel, ibdevIndex, nodeGuid);
        SharedDevice device = null;
        while (device == null) {
            device = PLACES.computeIfAbsent(key, Place::new).acquire();
        }
        return device;
    }

    /** After as many calls as of acquire the device is closed, as soon as nothing made on it is left. */
    void release() throws RdmaException {
        if (place.release()) {
            FirstFailure failure = new FirstFailure();
            failure.attempt(pd::closeWhenUnused);
            failure.attempt(context::closeWhenUnused);
            failure.throwIfAny();
        }
    }

    /** One device, its users, and the lock for both: who opens a device holds up those who want this one, and no others. */
    private static final class Place {
        private final Key key;
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable SharedDevice device;
        private int users;

        /** The place is not in the map any more. */
        private boolean left;

        Place(Key key) {
            this.key = key;
        }

        /** The device; null when its last user has gone meanwhile, or somebody has closed its context. */
        @Nullable
        SharedDevice acquire() throws RdmaException {
            lock.lock();
            try {
                if (left || leaveIfClosed()) {
                    return null;
                }
                SharedDevice open = device;
                if (open == null) {
                    open = open();
                    device = open;
                }
                users++;
                return open;
            } finally {
                leaveUnlessUsed();
                lock.unlock();
            }
        }

        private SharedDevice open() throws RdmaException {
            RdmaDevice found = Discovery.findByGuid(key.kernel(), key.ibdevIndex(), key.nodeGuid());
            DeviceContext context = DeviceContext.open(key.kernel(), found);
            try {
                return new SharedDevice(this, context);
            } catch (RdmaException | RuntimeException | Error e) {
                FirstFailure failure = new FirstFailure();
                failure.add(e);
                failure.attempt(context::close);
                throw e;
            }
        }

        /** True when this was the last user. */
        boolean release() {
            lock.lock();
            try {
                users--;
                return leaveUnlessUsed();
            } finally {
                lock.unlock();
            }
        }

        private boolean leaveUnlessUsed() {
            return users == 0 && leave();
        }

        /** A user of the context has closed it for all; who comes next gets a new one. */
        private boolean leaveIfClosed() {
            SharedDevice open = device;
            return open != null && open.context.isClosed() && leave();
        }

        private boolean leave() {
            left = true;
            PLACES.remove(key, this);
            return true;
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
