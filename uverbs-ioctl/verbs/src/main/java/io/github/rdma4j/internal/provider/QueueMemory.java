// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The memory of a queue, initially zeroed: its rings and, for some queues, a doorbell record. */
public final class QueueMemory {
    private final @Nullable DoorbellRecords records;
    private final DoorbellRecords.@Nullable Slot slot;
    private RingMemory rings;

    private QueueMemory(RingMemory rings, @Nullable DoorbellRecords records, DoorbellRecords.@Nullable Slot slot) {
        this.rings = rings;
        this.records = records;
        this.slot = slot;
    }

    /** Allocates {@code bytes} of memory and a record. */
    public static QueueMemory take(Device device, DoorbellRecords records, int bytes, String what)
            throws RdmaException {
        RingMemory rings = device.allocate(Math.max(1, bytes), what);
        return Undo.onFailure(() -> new QueueMemory(rings, records, records.take()), rings::retire);
    }

    /** Allocates {@code bytes} of memory for a queue without a record. */
    public static QueueMemory take(Device device, int bytes, String what) throws RdmaException {
        return new QueueMemory(device.allocate(Math.max(1, bytes), what), null, null);
    }

    /** The bytes of the rings. */
    public ByteBuffer bytes() {
        return rings.buffer();
    }

    /** The bytes of one of several rings. */
    public ByteBuffer part(int at, int bytes) {
        return rings.buffer().slice(at, bytes);
    }

    /** True if the queue has a doorbell record. */
    public boolean hasRecord() {
        return slot != null;
    }

    /** The location of the doorbell record of a queue that has one. */
    public DoorbellRecords.Slot slot() {
        return Objects.requireNonNull(slot);
    }

    /**
     * The driver's request and reply of a command that creates a queue.
     *
     * @param requestBytes bytes of the request
     * @param ringsAt the offset of the rings' address in the request
     * @param recordAt the offset of the doorbell record's address in the request, if the queue has a record
     * @param replyBytes bytes of the reply
     */
    public record Form(int requestBytes, int ringsAt, int recordAt, int replyBytes) {}

    /** The exchange of a command: the addresses of this memory, and what {@code more} writes. */
    public DriverExchange exchange(Form form, Consumer<DriverRequest> more) {
        return DriverExchange.of(form.requestBytes(), form.replyBytes(), request -> {
            request.putAddress(form.ringsAt(), rings, 0);
            if (slot != null) {
                request.putAddress(form.recordAt(), slot.page(), slot.offset());
            }
            more.accept(request);
        });
    }

    /** Replaces the rings by {@code other}, after the device has moved to it. */
    public void moveTo(RingMemory other) {
        rings.retire();
        rings = other;
    }

    /**
     * Releases everything.
     *
     * @param destroyed as for {@link Creation#abandon}
     */
    public void release(boolean destroyed) {
        rings.retire();
        if (records != null && slot != null) {
            records.release(slot, destroyed);
        }
    }
}
