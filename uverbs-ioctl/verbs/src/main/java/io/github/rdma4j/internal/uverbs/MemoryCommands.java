// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** The commands of memory regions and memory windows. */
public final class MemoryCommands {
    private MemoryCommands() {}

    /**
     * Registers a range of memory.
     *
     * @param start virtual address of the first byte
     * @param length bytes
     * @param hcaVa the address by which work requests name the first byte
     * @param pdHandle the protection domain
     * @param accessFlags {@code IB_UVERBS_ACCESS_*}
     */
    @KernelStruct(value = "struct ib_uverbs_reg_mr", header = "rdma/ib_user_verbs.h")
    public record RegMr(long start, long length, long hcaVa, int pdHandle, int accessFlags) {
        public static final int START = 8; // __aligned_u64: virtual address
        public static final int LENGTH = 16; // __aligned_u64: bytes
        public static final int HCA_VA = 24; // __aligned_u64: iova, same offset within a page as start
        public static final int PD_HANDLE = 32; // __u32
        public static final int ACCESS_FLAGS = 36; // __u32: enum ib_uverbs_access_flags
        public static final int BYTES = 40;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
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
     * @param mrHandle the kernel's handle
     * @param lkey the key for local scatter-gather entries
     * @param rkey the key for the peer
     */
    @KernelStruct(value = "struct ib_uverbs_reg_mr_resp", header = "rdma/ib_user_verbs.h")
    public record RegMrReply(int mrHandle, int lkey, int rkey) {
        public static final int MR_HANDLE = 0; // __u32
        public static final int LKEY = 4; // __u32
        public static final int RKEY = 8; // __u32
        public static final int BYTES = 12;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static RegMrReply decode(ByteBuffer in, int base) {
            return new RegMrReply(in.getInt(base + MR_HANDLE), in.getInt(base + LKEY), in.getInt(base + RKEY));
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
    public record RegDmabufMr(int pdHandle, long offset, long length, long iova, int accessFlags) {}

    /**
     * Changes the rights of a memory region; the members for its memory and its protection domain stay 0.
     *
     * @param mrHandle the memory region
     * @param accessFlags {@code IB_UVERBS_ACCESS_*}
     */
    @KernelStruct(value = "struct ib_uverbs_rereg_mr", header = "rdma/ib_user_verbs.h")
    public record ReregMr(int mrHandle, int accessFlags) {
        public static final int MR_HANDLE = 8; // __u32
        public static final int FLAGS = 12; // __u32: IBV_REREG_MR_*
        public static final int ACCESS_FLAGS = 44; // __u32: enum ib_uverbs_access_flags
        public static final int BYTES = 48;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + MR_HANDLE, mrHandle);
            out.putInt(base + FLAGS, ReregFlags.IBV_REREG_MR_CHANGE_ACCESS);
            out.putInt(base + ACCESS_FLAGS, accessFlags);
        }
    }

    /**
     * The new keys of a memory region.
     *
     * @param lkey the key for local scatter-gather entries
     * @param rkey the key for the peer
     */
    @KernelStruct(value = "struct ib_uverbs_rereg_mr_resp", header = "rdma/ib_user_verbs.h")
    public record ReregMrReply(int lkey, int rkey) {
        public static final int LKEY = 0; // __u32
        public static final int RKEY = 4; // __u32
        public static final int BYTES = 8;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static ReregMrReply decode(ByteBuffer in, int base) {
            return new ReregMrReply(in.getInt(base + LKEY), in.getInt(base + RKEY));
        }
    }

    /** The properties that a re-registration changes, a bit mask. */
    @KernelConstants("infiniband/verbs.h")
    public static final class ReregFlags {
        public static final int IBV_REREG_MR_CHANGE_ACCESS = 4;

        private ReregFlags() {}
    }

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
         * @param address the I/O virtual address of the first byte
         * @param length bytes, an unsigned number
         * @param lkey the local key of the region
         */
        @KernelStruct(value = "struct ib_uverbs_sge", header = "rdma/ib_user_verbs.h")
        public record Range(long address, int length, int lkey) {
            public static final int ADDR = 0; // __aligned_u64
            public static final int LENGTH = 8; // __u32
            public static final int LKEY = 12; // __u32
            public static final int BYTES = 16;

            /** Writes the command at {@code base} of zeros in native order. */
            public void encode(ByteBuffer out, int base) {
                out.putLong(base + ADDR, address);
                out.putInt(base + LENGTH, length);
                out.putInt(base + LKEY, lkey);
            }
        }
    }

    /**
     * Allocates a memory window.
     *
     * @param pdHandle the protection domain
     * @param mwType {@code IBV_MW_TYPE_*}
     */
    @KernelStruct(value = "struct ib_uverbs_alloc_mw", header = "rdma/ib_user_verbs.h")
    public record AllocMw(int pdHandle, int mwType) {
        public static final int PD_HANDLE = 8; // __u32
        public static final int MW_TYPE = 12; // __u8: enum ib_mw_type
        public static final int BYTES = 16;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + PD_HANDLE, pdHandle);
            out.put(base + MW_TYPE, (byte) mwType);
        }
    }

    /**
     * The key of a new memory window.
     *
     * @param mwHandle the kernel's handle
     * @param rkey the key before the first bind
     */
    @KernelStruct(value = "struct ib_uverbs_alloc_mw_resp", header = "rdma/ib_user_verbs.h")
    public record AllocMwReply(int mwHandle, int rkey) {
        public static final int MW_HANDLE = 0; // __u32
        public static final int RKEY = 4; // __u32
        public static final int BYTES = 8;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static AllocMwReply decode(ByteBuffer in, int base) {
            return new AllocMwReply(in.getInt(base + MW_HANDLE), in.getInt(base + RKEY));
        }
    }
}
