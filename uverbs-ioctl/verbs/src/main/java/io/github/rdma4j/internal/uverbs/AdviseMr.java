// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Advice about part of a memory region: the attributes of {@code UVERBS_METHOD_ADVISE_MR}.
 *
 * @param pdHandle the protection domain of the region
 * @param advice {@code IB_UVERBS_ADVISE_MR_ADVICE_*}
 * @param flags {@link Flags}
 * @param range the bytes
 */
public record AdviseMr(int pdHandle, int advice, int flags, Range range) {
    /** The options of the call, a bit mask. */
    @KernelConstants("rdma/ib_user_ioctl_verbs.h")
    public static final class Flags {
        public static final int IB_UVERBS_ADVISE_MR_FLAG_FLUSH = 1;

        private Flags() {}
    }

    /**
     * Part of a memory region.
     *
     * <pre>{@code
     * struct ib_uverbs_sge {       // uapi/rdma/ib_user_verbs.h
     *     __aligned_u64 addr;      //  0
     *     __u32 length;            //  8
     *     __u32 lkey;              // 12
     * };                           // 16
     * }</pre>
     *
     * @param address the I/O virtual address of the first byte
     * @param length bytes, an unsigned number
     * @param lkey the local key of the region
     */
    @KernelStruct(value = "struct ib_uverbs_sge", header = "rdma/ib_user_verbs.h")
    public record Range(long address, int length, int lkey) {
        public static final int ADDR = 0;
        public static final int LENGTH = 8;
        public static final int LKEY = 12;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + ADDR, address);
            out.putInt(base + LENGTH, length);
            out.putInt(base + LKEY, lkey);
        }
    }
}
