// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.util.HashMap;
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

    /** Guarded by {@link #lock}. */
    private boolean closed;

    private static final class Shared {
        final SmallestQp qps = new SmallestQp();
        int users;
    }

    /** Creates the queue pair of an id. Release the lease after success and after failure. */
    void createFor(CmId id, Lease lease) throws RdmaException {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the server has ended");
            }
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

    /** Releases a share, after the id and therefore its queue pair was closed. */
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
        private @Nullable CompletionQueue sendCq;
        private @Nullable CompletionQueue receiveCq;
        private @Nullable QueuePairOptions options;

        void createFor(CmId id) throws RdmaException {
            QueuePairOptions ready = options;
            if (ready == null) {
                ready = prepare(id);
                options = ready;
            }
            id.createQp(ready);
        }

        private QueuePairOptions prepare(CmId id) throws RdmaException {
            CompletionQueue send = id.context().createCq(1);
            sendCq = send;
            CompletionQueue receive = id.context().createCq(1);
            receiveCq = receive;
            return QueuePairOptions.builder()
                    .sendCq(send)
                    .receiveCq(receive)
                    .maxSendWr(1)
                    .maxReceiveWr(1)
                    .maxSendSge(1)
                    .maxReceiveSge(1)
                    .build();
        }

        @Override
        public void close() throws RdmaException {
            if (receiveCq != null) {
                receiveCq.close();
            }
            if (sendCq != null) {
                sendCq.close();
            }
        }
    }
}
