// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import java.nio.ByteOrder;

/**
 * The doorbell page of a context, uncached, so that an aligned store reaches the device unchanged. All queues of the
 * context ring at the same offset, without a lock.
 *
 * @param page the page
 */
record Doorbells(DoorbellPage page) {
    /** The constant bits of a doorbell, for {@link #ring}. */
    static long of(long kind, int number) {
        return kind << Doorbell.KIND_SHIFT
                | Doorbell.VALID
                | (long) (number & Doorbell.NUMBER_MASK) << Doorbell.NUMBER_SHIFT;
    }

    /**
     * Rings the doorbell of a queue.
     *
     * @param doorbell the result of {@link #of}
     * @param index the index up to which the process has written or read
     * @param epoch the lap bit, which changes with every lap of the ring
     */
    void ring(long doorbell, int index, int epoch) {
        long value = doorbell | (index & Doorbell.INDEX_MASK) | (long) epoch << Doorbell.EPOCH_SHIFT;
        page.ring(0, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value));
    }

    /** The toggle bits of a doorbell. */
    static long toggle(int toggle) {
        return (long) (toggle & Doorbell.TOGGLE_MASK) << Doorbell.TOGGLE_SHIFT;
    }
}
