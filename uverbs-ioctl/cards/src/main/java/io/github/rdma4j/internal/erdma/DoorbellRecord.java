// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.QueueMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The doorbell record of a queue: the doorbells rung last, as little-endian 64-bit numbers. A queue pair has one number
 * for sends and one for receives; a completion queue has one number.
 */
final class DoorbellRecord {
    /** The distance of two records in bytes: queues share no cache line. */
    static final int DISTANCE = 64;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer page;
    private final int first;
    private final int second;

    /** The doorbell record of {@code memory}. */
    DoorbellRecord(QueueMemory memory) {
        DoorbellRecords.Slot slot = memory.slot();
        this.page = slot.page().buffer();
        this.first = slot.offset();
        this.second = slot.offset() + Long.BYTES;
    }

    /** Writes the first number, after all earlier writes. */
    void releaseFirst(long value) {
        LONG.setRelease(page, first, value);
    }

    /** Writes the second number, after all earlier writes. */
    void releaseSecond(long value) {
        LONG.setRelease(page, second, value);
    }
}
