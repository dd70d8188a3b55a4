// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a server's connections. The queue pairs on a device share completion queues, which are closed with the
 * last of the queue pairs: a server without connections holds no device open, so that the device can be removed. Safe for
 * use by several threads.
 */
final class ServerQps {
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final Map<DeviceContext, Shared> devices = new HashMap<>();

    private static final class Shared {
        final SmallestQp qps = new SmallestQp();
        int users;
    }

    /** Creates the queue pair of an id. Release the lease after success and after failure. */
    void createFor(CmId id, Lease lease) throws RdmaException {
        lock.lock();
        try {
            DeviceContext device = id.context();
            Shared shared = devices.computeIfAbsent(device, each -> new Shared());
            shared.users++;
            lease.device = device;
            shared.qps.createFor(id);
        } finally {
            lock.unlock();
        }
    }

    /** The share of a connection in the completion queues. */
    static final class Lease {
        private @Nullable DeviceContext device;
    }

    /** Releases a share, after the id and with it the queue pair was closed. */
    void release(Lease lease) throws RdmaException {
        lock.lock();
        try {
            DeviceContext device = lease.device;
            lease.device = null;
            Shared shared = device == null ? null : devices.get(device);
            if (shared != null && --shared.users == 0) {
                devices.remove(device);
                shared.qps.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
