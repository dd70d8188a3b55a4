// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.QueueMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A doorbell record of two big-endian words, which the device reads; the same for ConnectX of all generations. Queue
 * pair: the counter of receives and, with mlx5, the counter of sends. Shared receive queue: its counter. Completion
 * queue: the consumer index and the arm word.
 */
public final class DoorbellWords {
    /** The distance of two records in bytes: queues share no cache line. */
    public static final int DISTANCE = 64;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final ByteBuffer page;
    private final int first;
    private final int second;

    private DoorbellWords(DoorbellRecords.Slot slot) {
        this.page = slot.page().buffer();
        this.first = slot.offset();
        this.second = slot.offset() + Integer.BYTES;
    }

    /** The words of the doorbell record of {@code memory}, which must have a record. */
    public static DoorbellWords of(QueueMemory memory) {
        return new DoorbellWords(memory.slot());
    }

    /** Writes the first word, after all earlier writes. */
    public void releaseFirst(int value) {
        INT.setRelease(page, first, value);
    }

    /** Writes the second word, after all earlier writes. */
    public void releaseSecond(int value) {
        INT.setRelease(page, second, value);
    }

    /** Writes zeros. */
    public void clear() {
        releaseFirst(0);
        releaseSecond(0);
    }
}
