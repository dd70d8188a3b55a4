// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.rxe.RxeAbi.QueueBuf;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A ring shared with the kernel ({@code struct rxe_queue_buf}): slots of a power of two, and the two indexes, each
 * written by one side and always stored masked. One slot stays free, so that full and empty differ.
 *
 * <p>The caller's own index is cached in a field, because no other side writes it. Acquire and release are fences
 * around plain accesses of aligned words: HotSpot of JDK 17 does not inline all that a {@code VarHandle} of a buffer
 * calls.
 */
final class RxeQueue {
    private final RingMemory mapping;
    private final ByteBuffer memory;
    private final int elementShift;
    private final int mask;

    private RxeQueue(RingMemory mapping, int elementShift, int mask) {
        this.mapping = mapping;
        this.memory = mapping.buffer();
        this.elementShift = elementShift;
        this.mask = mask;
    }

    static RxeQueue over(RingMemory mapping, String what) throws MalformedReplyException {
        ByteBuffer memory = mapping.buffer();
        int shift = memory.getInt(QueueBuf.LOG2_ELEM_SIZE);
        int mask = memory.getInt(QueueBuf.INDEX_MASK);
        boolean plausible = shift > 0 && shift < Integer.SIZE - 1 && mask >= 0 && (mask & (mask + 1)) == 0;
        if (!plausible || QueueBuf.DATA + ((mask + 1L) << shift) > memory.capacity()) {
            mapping.retire();
            throw new MalformedReplyException(what, QueueBuf.LOG2_ELEM_SIZE, memory.capacity());
        }
        return new RxeQueue(mapping, shift, mask);
    }

    ByteBuffer memory() {
        return memory;
    }

    /** The number of entries that fit. */
    int capacity() {
        return mask;
    }

    /** The bytes of a slot. */
    int elementSize() {
        return 1 << elementShift;
    }

    /**
     * Checks that a slot has room for {@code bytes} at {@code offset}, because a program may change a request while it
     * is being posted.
     */
    void requireRoom(int offset, int bytes) {
        if (bytes > elementSize() - offset) {
            throw new IllegalArgumentException("the work request grew while it was posted: " + bytes
                    + " bytes where a slot" + " of the queue has room for " + (elementSize() - offset));
        }
    }

    /** The offset of the slot {@code index} in {@link #memory()}. */
    int slot(int index) {
        return QueueBuf.DATA + ((index & mask) << elementShift);
    }

    int next(int index) {
        return (index + 1) & mask;
    }

    /** The number of slots from {@code first} (inclusive) to {@code end} (exclusive). */
    int distance(int first, int end) {
        return (end - first) & mask;
    }

    /** The producer's index, with acquire: the contents of the slots before it are visible. */
    int producer() {
        int index = memory.getInt(QueueBuf.PRODUCER_INDEX) & mask;
        VarHandle.acquireFence();
        return index;
    }

    /** The consumer's index, with acquire: the consumer has finished reading the slots before it. */
    int consumer() {
        int index = memory.getInt(QueueBuf.CONSUMER_INDEX) & mask;
        VarHandle.acquireFence();
        return index;
    }

    /** Publishes the slots before {@code index} to the consumer; pairs with the kernel's load-acquire. */
    void releaseProducer(int index) {
        VarHandle.releaseFence();
        memory.putInt(QueueBuf.PRODUCER_INDEX, index);
    }

    /** Returns the slots before {@code index} to the producer; pairs with the kernel's load-acquire. */
    void releaseConsumer(int index) {
        VarHandle.releaseFence();
        memory.putInt(QueueBuf.CONSUMER_INDEX, index);
    }

    void retire() {
        mapping.retire();
    }
}
