// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The creation of a queue: its ring and its doorbell record.
 *
 * @param <G> the kernel's reply
 * @param <R> the result
 */
abstract class QueueCreation<G, R> implements Creation<G, R> {
    private final Mlx4Context context;
    private final RingMemory memory;
    private final @Nullable DoorbellWords record;

    QueueCreation(Mlx4Context context, int bytes, String what, boolean hasRecord) throws RdmaException {
        this.context = context;
        this.memory = context.allocate(bytes, what);
        this.record = hasRecord ? takeRecord(context, memory) : null;
    }

    private static DoorbellWords takeRecord(Mlx4Context context, RingMemory memory) throws RdmaException {
        try {
            return context.takeRecord();
        } catch (Throwable e) {
            memory.retire();
            throw e;
        }
    }

    final Mlx4Context context() {
        return context;
    }

    final RingMemory memory() {
        return memory;
    }

    final DoorbellWords record() {
        return Objects.requireNonNull(record);
    }

    final @Nullable DoorbellWords recordOrNull() {
        return record;
    }

    /** Writes where the ring and the record are. */
    final void putAddresses(DriverRequest request, int ringAt, int recordAt) {
        request.putAddress(ringAt, memory, 0);
        if (record != null) {
            request.putAddress(recordAt, record.slot().page(), record.slot().offset());
        }
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.retire();
        if (record != null) {
            context.release(record, destroyed);
        }
    }
}
