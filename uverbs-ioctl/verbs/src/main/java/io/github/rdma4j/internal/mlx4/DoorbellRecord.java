// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.provider.DoorbellRecords;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The doorbell record of a queue: one or two big-endian words that the device reads. Of a receive queue, shared or not:
 * its counter. Of a completion queue: the consumer index and the arm word. Send queues have none.
 */
final class DoorbellRecord {
    /** Bytes between two records: no two queues share a cache line. */
    static final int DISTANCE = 64;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final DoorbellRecords.Slot slot;
    private final ByteBuffer page;
    private final int first;
    private final int second;

    DoorbellRecord(DoorbellRecords.Slot slot) {
        this.slot = slot;
        this.page = slot.page().buffer();
        this.first = slot.offset();
        this.second = slot.offset() + Integer.BYTES;
    }

    DoorbellRecords.Slot slot() {
        return slot;
    }

    /** Writes the first word after everything that was written before. */
    void releaseFirst(int value) {
        INT.setRelease(page, first, value);
    }

    /** Writes the second word after everything that was written before. */
    void releaseSecond(int value) {
        INT.setRelease(page, second, value);
    }
}
