// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.ByteBuffer;

/**
 * Memory that the process shares with the kernel or the device: mapped from the device by {@link Device#map}, or the process's
 * own by {@link Device#allocate}. The memory is never unmapped while Java can reach it, so that a late reader finds zeros
 * and no fault. The buffer must not leave the provider, and must not become a Netty buffer, which would keep the bare
 * address.
 */
public interface RingMemory {
    /** The bytes, in native byte order. Always the same buffer. */
    ByteBuffer buffer();

    /**
     * Gives the pages back. Readers see zeros from now on, and writes have no effect. A device to which the kernel still lends
     * the pages goes on with the old pages, which nobody sees any more. Idempotent.
     */
    void retire();
}
