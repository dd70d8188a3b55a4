// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The two indexes of a ring in a page that the device shares ({@code struct pvrdma_ring} of the driver): the next slots
 * to write and to read. Each index wraps at twice the number of slots, a power of two, so that full and empty differ,
 * and is written by one side only.
 *
 * @param page the page
 * @param at the place in the page, {@link #SEND} or {@link #RECEIVE}
 * @param slots the number of slots
 */
record RingIndexes(ByteBuffer page, int at, int slots) {
    /** The indexes of a send ring, in the first page of its memory. */
    static final int SEND = 0;

    /** The indexes of a receive ring and of a completion ring. */
    static final int RECEIVE = 8;

    private static final int PRODUCER = 0;
    private static final int CONSUMER = 4;
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** The slot of an index. */
    int slot(int index) {
        return index & (slots - 1);
    }

    int next(int index) {
        return (index + 1) & (2 * slots - 1);
    }

    /** The number of slots from the consumer to the producer; {@link #slots()} if no slot is free. */
    int used(int producer, int consumer) {
        return (producer - consumer) & (2 * slots - 1);
    }

    /** The producer's index, with acquire: the contents of the slots before it are visible. */
    int producer() {
        return (int) INT.getAcquire(page, at + PRODUCER) & (2 * slots - 1);
    }

    /** The consumer's index, with acquire: the consumer has finished reading the slots before it. */
    int consumer() {
        return (int) INT.getAcquire(page, at + CONSUMER) & (2 * slots - 1);
    }

    /** Publishes the slots before {@code index} to the consumer. */
    void releaseProducer(int index) {
        INT.setRelease(page, at + PRODUCER, index);
    }

    /** Returns the slots before {@code index} to the producer. */
    void releaseConsumer(int index) {
        INT.setRelease(page, at + CONSUMER, index);
    }

    /** Empties the ring. Neither side may use the ring during the call. */
    void reset() {
        releaseProducer(0);
        releaseConsumer(0);
    }
}
