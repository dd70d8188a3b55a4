// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a server's connections. The queue pairs of a device share completion queues, which are closed with
 * the last queue pair: a server without connections keeps no device open, so the device can be removed. Close it after
 * the event channel of the ids: connections that are open when a server ends never release their share. Safe for use by
 * several threads.
 */
final class ServerQps implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final Map<DeviceContext, Shared> devices = new HashMap<>();

    /** The connections with a share in the completion queues of their device. Guarded by {@link #lock}. */
    private final Map<CmId, DeviceContext> shares = new HashMap<>();

    /** Guarded by {@link #lock}. */
    private boolean closed;

    private static final class Shared {
        final SmallestQp qps = new SmallestQp();
        int users;
    }

    /** Creates the queue pair of an id. Release its share after success and after failure. */
    void createFor(CmId id) throws RdmaException {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the server has ended");
            }
            DeviceContext device = id.context();
            Shared shared = devices.computeIfAbsent(device, each -> new Shared());
            shared.users++;
            shares.put(id, device);
            shared.qps.createFor(id);
        } finally {
            lock.unlock();
        }
    }

    /** Releases the share of an id, after the id and therefore its queue pair was closed. */
    void release(CmId id) throws RdmaException {
        lock.lock();
        try {
            DeviceContext device = shares.remove(id);
            Shared shared = device == null ? null : devices.get(device);
            if (shared != null && --shared.users == 0) {
                devices.remove(device);
                shared.qps.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the completion queues that are still shared. */
    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        lock.lock();
        try {
            closed = true;
            devices.values().forEach(shared -> failure.attempt(shared.qps::close));
            devices.clear();
        } finally {
            lock.unlock();
        }
        failure.throwIfAny();
    }

    /**
     * Creates queue pairs with room for one send and one receive. As in {@code cmtime(1)}, all queue pairs share the
     * completion queues that were created for the first queue pair. For one thread at a time. Close after the queue
     * pairs.
     */
    static final class SmallestQp implements AutoCloseable {
        private final List<CompletionQueue> cqs = new ArrayList<>();
        private @Nullable QueuePairOptions options;

        void createFor(CmId id) throws RdmaException {
            QueuePairOptions ready = options == null ? prepare(id.context()) : options;
            options = ready;
            id.createQp(ready);
        }

        private QueuePairOptions prepare(DeviceContext device) throws RdmaException {
            while (cqs.size() < 2) {
                cqs.add(device.createCq(1));
            }
            return QueuePairOptions.builder()
                    .sendCq(cqs.get(0))
                    .receiveCq(cqs.get(1))
                    .maxSendWr(1)
                    .maxReceiveWr(1)
                    .maxSendSge(1)
                    .maxReceiveSge(1)
                    .build();
        }

        @Override
        public void close() throws RdmaException {
            for (CompletionQueue cq : cqs) {
                cq.close();
            }
        }
    }
}
