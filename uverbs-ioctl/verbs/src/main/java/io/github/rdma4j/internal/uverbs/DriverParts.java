// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;

/**
 * The bytes of the drivers' parts of GET_CONTEXT, ALLOC_PD and REG_MR, up to the last member in the oldest supported
 * headers, because drivers append members; many drivers reject a shorter command.
 */
@KernelConstants({
    "rdma/mlx5-abi.h",
    "rdma/mlx4-abi.h",
    "rdma/cxgb4-abi.h",
    "rdma/mthca-abi.h",
    "rdma/bnxt_re-abi.h",
    "rdma/ocrdma-abi.h",
    "rdma/irdma-abi.h",
    "rdma/vmw_pvrdma-abi.h",
    "rdma/qedr-abi.h",
    "rdma/hns-abi.h",
    "rdma/efa-abi.h",
    "rdma/siw-abi.h",
    "rdma/erdma-abi.h"
})
public final class DriverParts {
    @CName("sizeof(struct mlx5_ib_alloc_ucontext_req_v2)")
    public static final int MLX5_CONTEXT_REQUEST = 32;

    @CName("offsetof(struct mlx5_ib_alloc_ucontext_req_v2, total_num_bfregs)")
    public static final int MLX5_TOTAL_NUM_BFREGS = 0;

    @CName("offsetof(struct mlx5_ib_alloc_ucontext_req_v2, num_low_latency_bfregs)")
    public static final int MLX5_NUM_LOW_LATENCY_BFREGS = 4;

    @CName("offsetof(struct mlx5_ib_alloc_ucontext_resp, dump_fill_mkey) + sizeof(__u32)")
    public static final int MLX5_CONTEXT_REPLY = 72;

    @CName("sizeof(struct mlx5_ib_alloc_pd_resp)")
    public static final int MLX5_PD_REPLY = 4;

    @CName("sizeof(struct mlx4_ib_alloc_ucontext_resp)")
    public static final int MLX4_CONTEXT_REPLY = 16;

    @CName("sizeof(struct mlx4_ib_alloc_pd_resp)")
    public static final int MLX4_PD_REPLY = 8;

    @CName("sizeof(struct c4iw_alloc_ucontext_resp)")
    public static final int CXGB4_CONTEXT_REPLY = 16;

    @CName("sizeof(struct c4iw_alloc_pd_resp)")
    public static final int CXGB4_PD_REPLY = 4;

    @CName("sizeof(struct mthca_alloc_ucontext_resp)")
    public static final int MTHCA_CONTEXT_REPLY = 8;

    @CName("sizeof(struct mthca_alloc_pd_resp)")
    public static final int MTHCA_PD_REPLY = 8;

    @CName("offsetof(struct bnxt_re_uctx_resp, rsvd1) + sizeof(__u32)")
    public static final int BNXT_RE_CONTEXT_REPLY = 48;

    @CName("sizeof(struct bnxt_re_pd_resp)")
    public static final int BNXT_RE_PD_REPLY = 16;

    @CName("sizeof(struct ocrdma_alloc_ucontext_resp)")
    public static final int OCRDMA_CONTEXT_REPLY = 80;

    @CName("sizeof(struct ocrdma_alloc_pd_uresp)")
    public static final int OCRDMA_PD_REPLY = 24;

    @CName("sizeof(struct irdma_alloc_ucontext_req)")
    public static final int IRDMA_CONTEXT_REQUEST = 16;

    @CName("offsetof(struct irdma_alloc_ucontext_req, userspace_ver)")
    public static final int IRDMA_USERSPACE_VER = 4;

    public static final int IRDMA_ABI_VER = 5;

    @CName("offsetof(struct irdma_alloc_ucontext_req, comp_mask)")
    public static final int IRDMA_COMP_MASK = 8;

    @CName("offsetof(struct irdma_alloc_ucontext_resp, comp_mask) + sizeof(__u64)")
    public static final int IRDMA_CONTEXT_REPLY = 72;

    @CName("sizeof(struct irdma_alloc_pd_resp)")
    public static final int IRDMA_PD_REPLY = 8;

    @CName("sizeof(struct irdma_mem_reg_req)")
    public static final int IRDMA_MR_REQUEST = 8;

    @CName("sizeof(struct pvrdma_alloc_ucontext_resp)")
    public static final int PVRDMA_CONTEXT_REPLY = 8;

    @CName("sizeof(struct pvrdma_alloc_pd_resp)")
    public static final int PVRDMA_PD_REPLY = 8;

    @CName("sizeof(struct qedr_alloc_ucontext_resp)")
    public static final int QEDR_CONTEXT_REPLY = 56;

    @CName("sizeof(struct qedr_alloc_pd_uresp)")
    public static final int QEDR_PD_REPLY = 8;

    @CName("offsetof(struct hns_roce_ib_alloc_ucontext_resp, max_inline_data) + sizeof(__u32)")
    public static final int HNS_CONTEXT_REPLY = 24;

    @CName("sizeof(struct hns_roce_ib_alloc_pd_resp)")
    public static final int HNS_PD_REPLY = 4;

    @CName("offsetof(struct efa_ibv_alloc_ucontext_resp, reserved_a0) + 4")
    public static final int EFA_CONTEXT_REPLY = 24;

    @CName("sizeof(struct efa_ibv_alloc_pd_resp)")
    public static final int EFA_PD_REPLY = 8;

    @CName("sizeof(struct siw_uresp_alloc_ctx)")
    public static final int SIW_CONTEXT_REPLY = 8;

    @CName("sizeof(struct siw_ureq_reg_mr)")
    public static final int SIW_MR_REQUEST = 8;

    @CName("sizeof(struct siw_uresp_reg_mr)")
    public static final int SIW_MR_REPLY = 8;

    @CName("offsetof(struct erdma_uresp_alloc_ctx, cdb) + sizeof(__u64)")
    public static final int ERDMA_CONTEXT_REPLY = 40;

    private DriverParts() {}

    /** Additions in newer irdma drivers for generation 3 devices. */
    @KernelConstants(value = "rdma/irdma-abi.h", since = "6.18")
    public static final class NewerIrdma {
        public static final int IRDMA_SUPPORT_WQE_FORMAT_V2 = 8;

        private NewerIrdma() {}
    }
}
