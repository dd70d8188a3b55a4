// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a receive work request; scatter-gather entries follow.
 *
 * <pre>{@code
 * struct pvrdma_rq_wqe_hdr {// uapi/rdma/vmw_pvrdma-abi.h
 *     __aligned_u64 wr_id;  //  0
 *     __u32 num_sge;        //  8
 *     __u32 total_len;      // 12  not used
 * };                        // 16
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_rq_wqe_hdr", header = "rdma/vmw_pvrdma-abi.h")
public final class ReceiveHeader {
    public static final int WR_ID = 0;
    public static final int NUM_SGE = 8;
    public static final int TOTAL_LEN = 12;
    public static final int BYTES = 16;

    private ReceiveHeader() {}
}
