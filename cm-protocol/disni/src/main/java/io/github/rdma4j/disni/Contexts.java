// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One context of DiSNI for each device. librdmacm keeps a device open until the process ends, and DiSNI's endpoint groups keep
 * protection domains by the number of a context: a protection domain that nobody uses keeps rdma4j's context open.
 */
final class Contexts {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Map<DeviceContext, Kept> KEPT = new HashMap<>();

    private Contexts() {}

    private record Kept(Handles.Context context, ProtectionDomain keeper) {}

    static Handles.Context of(DeviceContext device) throws IOException {
        LOCK.lock();
        try {
            Kept kept = KEPT.get(device);
            if (kept == null) {
                kept = new Kept(new Handles.Context(device), device.allocatePd());
                KEPT.put(device, kept);
            }
            return kept.context;
        } finally {
            LOCK.unlock();
        }
    }

    /** The device was removed: its driver may wait until nobody uses the device any more. */
    static void removed(DeviceContext device) throws IOException {
        LOCK.lock();
        try {
            Kept kept = KEPT.get(device);
            if (kept != null) {
                kept.keeper.close();
            }
        } finally {
            LOCK.unlock();
        }
    }
}
