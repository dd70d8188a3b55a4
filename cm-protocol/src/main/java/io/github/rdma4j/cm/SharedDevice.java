// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The device context and default protection domain that all CM ids on one device share.
 *
 * <p>Opened for the first id, and closed after the last as soon as nothing made on it is left: so that ids may come and
 * go without their users' memory regions going with them, and the device is free once all is closed. An id that comes
 * before gets the same context.
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

    private SharedDevice(Place place, DeviceContext context, ProtectionDomain pd) throws RdmaException {
        this.place = place;
        this.context = context;
        this.pd = pd;
        DeviceAttr limits = context.queryDevice();
        this.maxResponderResources = Math.min(limits.maxQpRdAtom(), MAX_DEPTH - 1);
        this.maxInitiatorDepth = Math.min(limits.maxQpInitRdAtom(), MAX_DEPTH - 1);
    }

    /** The device by the numbers that the connection manager gives; a release must follow every call. */
    static SharedDevice acquire(Kernel kernel, int ibdevIndex, long nodeGuid) throws RdmaException {
        PLACES.values().forEach(Place::leaveIfOver);
        Key key = new Key(kernel, ibdevIndex, nodeGuid);
        SharedDevice device = null;
        while (device == null) {
            device = PLACES.computeIfAbsent(key, Place::new).acquire();
        }
        return device;
    }

    /** After as many calls as of acquire the device is closed, as soon as nothing made on it is left. */
    void release() throws RdmaException {
        place.release(this);
    }

    /**
     * One device, its users, and the lock for both: who opens or closes a device holds up those who want this one, and no
     * others.
     */
    private static final class Place {
        private final Key key;
        private final ReentrantLock lock = new ReentrantLock();

        /** What the users share; null while there are none. */
        private @Nullable SharedDevice device;

        private int users;

        /** What the last users have left open; a context that nobody closes may become garbage. */
        private WeakReference<DeviceContext> idleContext = new WeakReference<>(null);

        private WeakReference<ProtectionDomain> idlePd = new WeakReference<>(null);

        /** The place is not in the map any more. */
        private boolean left;

        Place(Key key) {
            this.key = key;
        }

        /** The device; null when the place is not in the map any more, or somebody has closed the context for all users. */
        @Nullable
        SharedDevice acquire() throws RdmaException {
            lock.lock();
            try {
                SharedDevice shared = device;
                if (left || (shared != null && !shared.context.keepOpen())) {
                    leave();
                    return null;
                }
                if (shared == null) {
                    shared = open();
                    device = shared;
                }
                users++;
                return shared;
            } finally {
                lock.unlock();
            }
        }

        private SharedDevice open() throws RdmaException {
            DeviceContext idle = idleContext.get();
            boolean open = idle != null && idle.keepOpen();
            DeviceContext context = open && idle != null ? idle : openContext();
            ProtectionDomain pd = null;
            try {
                ProtectionDomain kept = open ? idlePd.get() : null;
                pd = kept != null && kept.keepOpen() ? kept : context.allocatePd();
                return new SharedDevice(this, context, pd);
            } catch (RdmaException | RuntimeException | Error e) {
                FirstFailure failure = new FirstFailure();
                failure.add(e);
                close(context, pd, failure);
                throw e;
            }
        }

        private DeviceContext openContext() throws RdmaException {
            RdmaDevice found = Discovery.findByGuid(key.kernel(), key.ibdevIndex(), key.nodeGuid());
            return DeviceContext.open(key.kernel(), found);
        }

        private static void close(DeviceContext context, @Nullable ProtectionDomain pd, FirstFailure failure) {
            if (pd != null) {
                failure.attempt(pd::closeWhenUnused);
            }
            failure.attempt(context::closeWhenUnused);
        }

        void release(SharedDevice shared) throws RdmaException {
            FirstFailure failure = new FirstFailure();
            lock.lock();
            try {
                users--;
                if (users == 0) {
                    device = null;
                    idleContext = new WeakReference<>(shared.context);
                    idlePd = new WeakReference<>(shared.pd);
                    close(shared.context, shared.pd, failure);
                    leaveIfOver();
                }
            } finally {
                lock.unlock();
            }
            failure.throwIfAny();
        }

        /** Leaves the map when there are neither users nor a context for the next one. */
        void leaveIfOver() {
            if (!lock.tryLock()) {
                return;
            }
            try {
                DeviceContext idle = idleContext.get();
                if (users == 0 && (idle == null || idle.isClosed())) {
                    leave();
                }
            } finally {
                lock.unlock();
            }
        }

        private void leave() {
            left = true;
            PLACES.remove(key, this);
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
