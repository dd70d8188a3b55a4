// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * The layout of a scatter-gather entry of either ring.
 *
 * <pre>{@code
 * struct pvrdma_sge {      // uapi/rdma/vmw_pvrdma-abi.h
 *     __aligned_u64 addr;  //  0
 *     __u32 length;        //  8
 *     __u32 lkey;          // 12
 * };                       // 16
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_sge", header = "rdma/vmw_pvrdma-abi.h")
public final class Sge {
    public static final int ADDR = 0;
    public static final int LENGTH = 8;
    public static final int LKEY = 12;
    public static final int BYTES = 16;

    private Sge() {}

    /** Writes the {@link #BYTES} bytes at {@code at}. */
    static void put(ByteBuffer ring, int at, long iova, int length, int lkey) {
        ring.putLong(at + ADDR, iova);
        ring.putInt(at + LENGTH, length);
        ring.putInt(at + LKEY, lkey);
    }
}
