// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.internal.undo.FirstFailure;
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
 * The device context and the default protection domain that all CM ids on one device share.
 *
 * <p>Opened for the first id, and closed after the last id and the last object created on it. Ids can therefore be
 * closed without closing the memory regions of their users, and the device is free when everything is closed. A new id
 * gets the same context until then.
 *
 * @param maxResponderResources the number of RDMA reads and atomics that the device accepts at a time on a queue pair
 * @param maxInitiatorDepth the number of RDMA reads and atomics that it can have outstanding on a queue pair
 */
record SharedDevice(
        Place place, DeviceContext context, ProtectionDomain pd, int maxResponderResources, int maxInitiatorDepth) {
    private static final int MAX_DEPTH = 0xff;

    /** The devices that are open or being opened; excludes devices that were closed while ids still hold them. */
    private static final Map<Key, Place> PLACES = new ConcurrentHashMap<>();

    private record Key(Kernel kernel, int ibdevIndex, long nodeGuid) {}

    /** Acquires the device with the given index and GUID from the connection manager; each call requires a release. */
    static SharedDevice acquire(Kernel kernel, int ibdevIndex, long nodeGuid) throws RdmaException {
        PLACES.values().forEach(Place::leaveIfOver);
        Key key = new Key(kernel, ibdevIndex, nodeGuid);
        SharedDevice device = null;
        while (device == null) {
            device = PLACES.computeIfAbsent(key, Place::new).acquire();
        }
        return device;
    }

    /** Releases the device. After the last release it is closed as soon as no object created on it is left. */
    void release() throws RdmaException {
        place.release(this);
    }

    /**
     * A device, its users, and a lock for both. Opening or closing a device blocks only threads that need the same
     * device.
     */
    private static final class Place {
        private final Key key;
        private final ReentrantLock lock = new ReentrantLock();

        /** The shared device; null if there are no users. */
        private @Nullable SharedDevice device;

        private int users;

        /** The context that the last users left open; it may be garbage-collected. */
        private WeakReference<DeviceContext> idleContext = new WeakReference<>(null);

        private WeakReference<ProtectionDomain> idlePd = new WeakReference<>(null);

        /** True if the place was removed from the map. */
        private boolean left;

        Place(Key key) {
            this.key = key;
        }

        /** Returns the device; null if the place was removed from the map, or the context was closed for all users. */
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
                DeviceAttr limits = context.queryDevice();
                return new SharedDevice(
                        this,
                        context,
                        pd,
                        Math.min(limits.maxQpRdAtom(), MAX_DEPTH - 1),
                        Math.min(limits.maxQpInitRdAtom(), MAX_DEPTH - 1));
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

        /** Removes the place from the map if there are neither users nor an idle context. */
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
}
