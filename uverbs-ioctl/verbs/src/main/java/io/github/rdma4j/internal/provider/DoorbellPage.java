// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/**
 * A page of the device's registers, for doorbells. All that can be done to it is one aligned store, which the compiler
 * neither splits nor joins with another. The store is a release store: all that the thread wrote to memory before is visible
 * to the device first, on a page that is not write-combining. Safe for use by several threads.
 */
public interface DoorbellPage {
    /**
     * Stores 64 bits in native byte order.
     *
     * @param offset a multiple of 8 inside the page
     */
    void ring(int offset, long value);

    /**
     * Stores 32 bits in native byte order.
     *
     * @param offset a multiple of 4 inside the page
     */
    void ring(int offset, int value);

    /** Unmaps the registers; stores go nowhere afterwards. Idempotent. */
    void retire();
}
