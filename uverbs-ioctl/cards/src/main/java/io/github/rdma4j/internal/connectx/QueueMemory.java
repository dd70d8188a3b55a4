// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The memory of a queue, zeroed at first: its rings and its doorbell record. */
public final class QueueMemory {
    private final DoorbellRecords records;
    private final @Nullable DoorbellWords record;
    private RingMemory rings;

    private QueueMemory(RingMemory rings, DoorbellRecords records, @Nullable DoorbellWords record) {
        this.rings = rings;
        this.records = records;
        this.record = record;
    }

    /** Takes {@code bytes} of memory, and a record. */
    static QueueMemory take(Device device, DoorbellRecords records, int bytes, String what) throws RdmaException {
        RingMemory rings = device.allocate(Math.max(1, bytes), what);
        try {
            return new QueueMemory(rings, records, new DoorbellWords(records.take()));
        } catch (Throwable e) {
            rings.retire();
            throw e;
        }
    }

    /** Takes {@code bytes} of memory for a queue without a record. */
    static QueueMemory withoutRecord(Device device, DoorbellRecords records, int bytes, String what)
            throws RdmaException {
        return new QueueMemory(device.allocate(Math.max(1, bytes), what), records, null);
    }

    /** The bytes of the rings, big endian. */
    public ByteBuffer bytes() {
        return rings.buffer().duplicate().order(ByteOrder.BIG_ENDIAN);
    }

    /** The bytes of one ring of several. */
    public ByteBuffer part(int at, int bytes) {
        return rings.buffer().slice(at, bytes);
    }

    /** The doorbell record, if the queue has one. */
    public DoorbellWords record() {
        return Objects.requireNonNull(record);
    }

    void clearRecord() {
        if (record != null) {
            record.clear();
        }
    }

    /** Writes where the rings and the record are. */
    void putAddresses(DriverRequest request, int ringsAt, int recordAt) {
        request.putAddress(ringsAt, rings, 0);
        if (record != null) {
            request.putAddress(recordAt, record.slot().page(), record.slot().offset());
        }
    }

    /** The device has left the rings for {@code other}. */
    void moveTo(RingMemory other) {
        rings.retire();
        rings = other;
    }

    /**
     * Gives everything back.
     *
     * @param destroyed as for {@link io.github.rdma4j.internal.provider.Creation#abandon}
     */
    void release(boolean destroyed) {
        rings.retire();
        if (record != null) {
            records.release(record.slot(), destroyed);
        }
    }
}
