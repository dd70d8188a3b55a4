// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The creation of a queue: its ring and its doorbell record. The requests of all queues are alike.
 *
 * @param <G> the kernel's reply
 * @param <R> the result
 */
abstract class QueueCreation<G, R> implements Creation<G, R> {
    private final ErdmaContext context;
    private final RingMemory memory;
    private final int bytes;
    private final DoorbellRecord record;

    QueueCreation(ErdmaContext context, int bytes, String what) throws RdmaException {
        this.context = context;
        this.bytes = bytes;
        this.memory = context.allocate(bytes, what);
        this.record = takeRecord(context, memory);
    }

    private static DoorbellRecord takeRecord(ErdmaContext context, RingMemory memory) throws RdmaException {
        try {
            return context.takeRecord();
        } catch (Throwable e) {
            memory.retire();
            throw e;
        }
    }

    final ErdmaContext context() {
        return context;
    }

    final RingMemory memory() {
        return memory;
    }

    final DoorbellRecord record() {
        return record;
    }

    @Override
    public final int requestBytes() {
        return CreateQp.BYTES;
    }

    @Override
    public final void writeRequest(DriverRequest request) {
        request.putAddress(
                CreateQp.DB_RECORD_VA, record.slot().page(), record.slot().offset());
        request.putAddress(CreateQp.QBUF_VA, memory, 0);
        request.putInt(CreateQp.QBUF_LEN, bytes);
    }

    @Override
    public final void abandon(boolean destroyed) {
        memory.retire();
        context.release(record, destroyed);
    }
}
