// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import java.nio.ByteOrder;

/** Immediate data: DiSNI's number has the bytes as they are on the wire, rdma4j's is the number that they mean. */
final class WireOrder {
    private static final boolean SWAPS = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private WireOrder() {}

    /** From one to the other, either way. */
    static int swap(int immediate) {
        return SWAPS ? Integer.reverseBytes(immediate) : immediate;
    }
}
