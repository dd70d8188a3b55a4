// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import java.nio.ByteOrder;

/**
 * The doorbell page of a context, uncached, so that an aligned store reaches the device as it is. All queues of the context ring
 * in the same place, without a lock.
 *
 * @param page the page
 */
record Doorbells(DoorbellPage page) {
    /** The words of a doorbell that do not change, for {@link #ring}. */
    static long of(long kind, int number) {
        return kind << Doorbell.KIND_SHIFT
                | Doorbell.VALID
                | (long) (number & Doorbell.NUMBER_MASK) << Doorbell.NUMBER_SHIFT;
    }

    /**
     * Tells the device of a queue.
     *
     * @param doorbell of {@link #of}
     * @param index how far the process has got
     * @param epoch a bit that changes with every lap of the ring
     */
    void ring(long doorbell, int index, int epoch) {
        long value = doorbell | (index & Doorbell.INDEX_MASK) | (long) epoch << Doorbell.EPOCH_SHIFT;
        page.ring(0, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value));
    }

    /** The bits of a toggle in a doorbell. */
    static long toggle(int toggle) {
        return (long) (toggle & Doorbell.TOGGLE_MASK) << Doorbell.TOGGLE_SHIFT;
    }
}
