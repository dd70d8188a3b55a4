// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.instant;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The kernel's side of a ring of soft-RoCE ({@code struct rxe_queue_buf}). */
public final class SharedRing {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int LOG2_ELEMENT_SIZE = 0;
    private static final int INDEX_MASK = 4;
    private static final int PRODUCER_INDEX = 128;
    private static final int CONSUMER_INDEX = 256;
    private static final int DATA = 384;

    private final ByteBuffer memory;

    SharedRing(ByteBuffer memory) {
        this.memory = memory;
    }

    /** Consumes the entries that the program has produced. */
    static void consumeAll(ByteBuffer ring) {
        INT.setRelease(ring, CONSUMER_INDEX, (int) INT.getAcquire(ring, PRODUCER_INDEX));
    }

    /** Completes a work request: writes a completion with that id and a successful status, and shows it. */
    public void complete(long wrId) {
        int mask = memory.getInt(INDEX_MASK);
        int producer = memory.getInt(PRODUCER_INDEX);
        memory.putLong(DATA + (producer << memory.getInt(LOG2_ELEMENT_SIZE)), wrId);
        INT.setRelease(memory, PRODUCER_INDEX, (producer + 1) & mask);
    }

    /** The work request id in slot {@code index}. */
    public long wrId(int index) {
        return memory.getLong(DATA + (index << memory.getInt(LOG2_ELEMENT_SIZE)));
    }

    /** How far the producer has come. */
    public int producer() {
        return (int) INT.getAcquire(memory, PRODUCER_INDEX);
    }

    /** Shows {@code count} completions that lie in the ring already. */
    public void show(int count) {
        INT.setRelease(memory, PRODUCER_INDEX, (memory.getInt(PRODUCER_INDEX) + count) & memory.getInt(INDEX_MASK));
    }
}
