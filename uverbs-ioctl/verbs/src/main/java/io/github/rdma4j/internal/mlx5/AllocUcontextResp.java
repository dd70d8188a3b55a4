// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made a context. An older kernel writes less, and what it does not write is 0.
 *
 * <pre>{@code
 * struct mlx5_ib_alloc_ucontext_resp {      // uapi/rdma/mlx5-abi.h
 *     __u32 qp_tab_size;                    //  0
 *     __u32 bf_reg_size;                    //  4  bytes of a doorbell register; 0 without write combining
 *     __u32 tot_bfregs;                     //  8  registers; 0 with UARs that the process allocates
 *     __u32 cache_line_size;                // 12  bytes
 *     __u16 max_sq_desc_sz;                 // 16  bytes of the largest send WQE
 *     __u16 max_rq_desc_sz;                 // 18  bytes of the largest receive WQE
 *     __u32 max_send_wqebb;                 // 20  64-byte blocks of the largest send ring
 *     __u32 max_recv_wr;                    // 24
 *     __u32 max_srq_recv_wr;                // 28
 *     __u16 num_ports;                      // 32
 *     __u16 flow_action_flags;              // 34
 *     __u32 comp_mask;                      // 36
 *     __u32 response_length;                // 40  bytes that the kernel knows
 *     __u8 cqe_version;                     // 44  what completions carry: 0 queue pair number, 1 user index
 *     __u8 cmds_supp_uhw;                   // 45  MLX5_USER_CMDS_SUPP_UHW_*
 *     __u8 eth_min_inline;                  // 46
 *     __u8 clock_info_versions;             // 47
 *     __aligned_u64 hca_core_clock_offset;  // 48
 *     __u32 log_uar_size;                   // 56
 *     __u32 num_uars_per_page;              // 60
 *     __u32 num_dyn_bfregs;                 // 64
 *     __u32 dump_fill_mkey;                 // 68
 * };                                        // 72
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_alloc_ucontext_resp", header = "rdma/mlx5-abi.h")
public final class AllocUcontextResp {
    public static final int QP_TAB_SIZE = 0;
    public static final int BF_REG_SIZE = 4;
    public static final int TOT_BFREGS = 8;
    public static final int CACHE_LINE_SIZE = 12;
    public static final int MAX_SQ_DESC_SZ = 16;
    public static final int MAX_RQ_DESC_SZ = 18;
    public static final int MAX_SEND_WQEBB = 20;
    public static final int MAX_RECV_WR = 24;
    public static final int MAX_SRQ_RECV_WR = 28;
    public static final int NUM_PORTS = 32;
    public static final int FLOW_ACTION_FLAGS = 34;
    public static final int COMP_MASK = 36;
    public static final int RESPONSE_LENGTH = 40;
    public static final int CQE_VERSION = 44;
    public static final int CMDS_SUPP_UHW = 45;
    public static final int ETH_MIN_INLINE = 46;
    public static final int CLOCK_INFO_VERSIONS = 47;
    public static final int HCA_CORE_CLOCK_OFFSET = 48;
    public static final int LOG_UAR_SIZE = 56;
    public static final int NUM_UARS_PER_PAGE = 60;
    public static final int NUM_DYN_BFREGS = 64;
    public static final int DUMP_FILL_MKEY = 68;
    public static final int BYTES = 72;

    private AllocUcontextResp() {}
}
