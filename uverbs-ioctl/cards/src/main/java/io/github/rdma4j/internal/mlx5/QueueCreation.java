// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The creation of a queue: its ring and its doorbell record.
 *
 * @param <G> the kernel's reply
 * @param <R> the result
 */
abstract class QueueCreation<G, R> implements Creation<G, R> {
    private final Mlx5Context context;
    private final RingMemory memory;
    private final DoorbellWords record;

    QueueCreation(Mlx5Context context, int bytes, String what) throws RdmaException {
        this.context = context;
        this.memory = context.allocate(bytes, what);
        this.record = takeRecord(context, memory);
    }

    private static DoorbellWords takeRecord(Mlx5Context context, RingMemory memory) throws RdmaException {
        try {
            return context.takeRecord();
        } catch (Throwable e) {
            memory.retire();
            throw e;
        }
    }

    final Mlx5Context context() {
        return context;
    }

    final RingMemory memory() {
        return memory;
    }

    final DoorbellWords record() {
        return record;
    }

    /** Writes where the ring and the record are. */
    final void putAddresses(DriverRequest request, int ringAt, int recordAt) {
        request.putAddress(ringAt, memory, 0);
        request.putAddress(recordAt, record.slot().page(), record.slot().offset());
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
        context.release(record, destroyed);
    }
}
