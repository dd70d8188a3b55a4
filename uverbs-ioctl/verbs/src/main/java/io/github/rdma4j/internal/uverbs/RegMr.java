// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Registers memory. */
public final class RegMr {
    private RegMr() {}

    /**
     * Registers a range of memory.
     *
     * <pre>{@code
     * struct ib_uverbs_reg_mr {           // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_REG_MR
     *     __aligned_u64 response;         //  0  unused when sent by INVOKE_WRITE
     *     __aligned_u64 start;            //  8  virtual address
     *     __aligned_u64 length;           // 16  bytes
     *     __aligned_u64 hca_va;           // 24  iova, same offset within a page as start
     *     __u32 pd_handle;                // 32
     *     __u32 access_flags;             // 36  enum ib_uverbs_access_flags
     * };                                  // 40
     * }</pre>
     *
     * @param start virtual address of the first byte
     * @param length bytes
     * @param hcaVa the address by which work requests name the first byte
     * @param pdHandle the protection domain
     * @param accessFlags {@code IB_UVERBS_ACCESS_*}
     */
    @KernelStruct(value = "struct ib_uverbs_reg_mr", header = "rdma/ib_user_verbs.h")
    public record Command(long start, long length, long hcaVa, int pdHandle, int accessFlags) {
        public static final int RESPONSE = 0;
        public static final int START = 8;
        public static final int LENGTH = 16;
        public static final int HCA_VA = 24;
        public static final int PD_HANDLE = 32;
        public static final int ACCESS_FLAGS = 36;
        public static final int BYTES = 40;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putLong(base + START, start);
            out.putLong(base + LENGTH, length);
            out.putLong(base + HCA_VA, hcaVa);
            out.putInt(base + PD_HANDLE, pdHandle);
            out.putInt(base + ACCESS_FLAGS, accessFlags);
        }
    }

    /**
     * The keys of a new memory region.
     *
     * <pre>{@code
     * struct ib_uverbs_reg_mr_resp {      // uapi/rdma/ib_user_verbs.h
     *     __u32 mr_handle;                //  0
     *     __u32 lkey;                     //  4
     *     __u32 rkey;                     //  8
     * };                                  // 12
     * }</pre>
     *
     * @param mrHandle the kernel's handle
     * @param lkey the key for local scatter-gather entries
     * @param rkey the key for the peer
     */
    @KernelStruct(value = "struct ib_uverbs_reg_mr_resp", header = "rdma/ib_user_verbs.h")
    public record Reply(int mrHandle, int lkey, int rkey) {
        public static final int MR_HANDLE = 0;
        public static final int LKEY = 4;
        public static final int RKEY = 8;
        public static final int BYTES = 12;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static Reply decode(ByteBuffer in, int base) {
            return new Reply(in.getInt(base + MR_HANDLE), in.getInt(base + LKEY), in.getInt(base + RKEY));
        }
    }

    /**
     * Registers a dma-buf: the attributes of {@code UVERBS_METHOD_REG_DMABUF_MR}.
     *
     * @param pdHandle the protection domain
     * @param offset the first byte of the region in the dma-buf
     * @param length bytes
     * @param iova the address by which work requests name the first byte, at the same offset within a page as
     *     {@code offset}
     * @param accessFlags {@code IB_UVERBS_ACCESS_*}
     */
    public record DmabufCommand(int pdHandle, long offset, long length, long iova, int accessFlags) {}
}
