// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the driver's part of the command that creates a queue pair.
 *
 * <pre>{@code
 * struct mlx5_ib_create_qp {               // uapi/rdma/mlx5-abi.h
 *     __aligned_u64 buf_addr;              //  0  the receive ring, and the send ring behind it
 *     __aligned_u64 db_addr;               //  8  the doorbell record
 *     __u32 sq_wqe_count;                  // 16  64-byte blocks, a power of two
 *     __u32 rq_wqe_count;                  // 20  entries, a power of two; 0 with a shared queue
 *     __u32 rq_wqe_shift;                  // 24  log2 of the bytes of a receive entry
 *     __u32 flags;                         // 28  MLX5_QP_FLAG_*
 *     __u32 uidx;                          // 32  the user index; 0xffffff for CQE version 0
 *     __u32 bfreg_index;                   // 36  the page id of the UAR
 *     __aligned_u64 sq_buf_addr;           // 40
 *     __u32 ece_options;                   // 48
 *     __u8 dci_streams.log_num_concurent;  // 52
 *     __u8 dci_streams.log_num_errored;    // 53
 *     __u16 reserved;                      // 54
 * };                                       // 56
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_create_qp", header = "rdma/mlx5-abi.h")
public final class CreateQp {
    public static final int BUF_ADDR = 0;
    public static final int DB_ADDR = 8;
    public static final int SQ_WQE_COUNT = 16;
    public static final int RQ_WQE_COUNT = 20;
    public static final int RQ_WQE_SHIFT = 24;
    public static final int FLAGS = 28;
    public static final int UIDX = 32;
    public static final int BFREG_INDEX = 36;
    public static final int SQ_BUF_ADDR = 40;
    public static final int ECE_OPTIONS = 48;

    @CName("dci_streams.log_num_concurent")
    public static final int DCI_LOG_NUM_CONCURENT = 52;

    @CName("dci_streams.log_num_errored")
    public static final int DCI_LOG_NUM_ERRORED = 53;

    public static final int RESERVED = 54;
    public static final int BYTES = 56;

    private CreateQp() {}
}
