// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a completion.
 *
 * <pre>{@code
 * struct pvrdma_cqe {         // uapi/rdma/vmw_pvrdma-abi.h
 *     __aligned_u64 wr_id;    //  0
 *     __aligned_u64 qp;       //  8  the handle of the queue pair
 *     __u32 opcode;           // 16  PVRDMA_WC_*
 *     __u32 status;           // 20  PVRDMA_WC_*
 *     __u32 byte_len;         // 24
 *     __be32 imm_data;        // 28
 *     __u32 src_qp;           // 32
 *     __u32 wc_flags;         // 36  PVRDMA_WC_*
 *     __u32 vendor_err;       // 40
 *     __u16 pkey_index;       // 44
 *     __u16 slid;             // 46
 *     __u8 sl;                // 48
 *     __u8 dlid_path_bits;    // 49
 *     __u8 port_num;          // 50
 *     __u8 smac[6];           // 51
 *     __u8 network_hdr_type;  // 57
 *     __u8 reserved2[6];      // 58
 * };                          // 64
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_cqe", header = "rdma/vmw_pvrdma-abi.h")
public final class Cqe {
    public static final int WR_ID = 0;
    public static final int QP = 8;
    public static final int OPCODE = 16;
    public static final int STATUS = 20;
    public static final int BYTE_LEN = 24;
    public static final int IMM_DATA = 28;
    public static final int SRC_QP = 32;
    public static final int WC_FLAGS = 36;
    public static final int VENDOR_ERR = 40;
    public static final int PKEY_INDEX = 44;
    public static final int SLID = 46;
    public static final int SL = 48;
    public static final int DLID_PATH_BITS = 49;
    public static final int PORT_NUM = 50;
    public static final int SMAC = 51;
    public static final int NETWORK_HDR_TYPE = 57;
    public static final int RESERVED2 = 58;
    public static final int BYTES = 64;

    private Cqe() {}
}
