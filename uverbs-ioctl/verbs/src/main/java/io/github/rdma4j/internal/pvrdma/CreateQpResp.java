// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made a queue pair. Kernels before Linux 5.10 add nothing.
 *
 * <pre>{@code
 * struct pvrdma_create_qp_resp {// uapi/rdma/vmw_pvrdma-abi.h
 *     __u32 qpn;        //  0
 *     __u32 qp_handle;  //  4  the number in doorbells and completions
 * };                    // 8
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_create_qp_resp", header = "rdma/vmw_pvrdma-abi.h")
public final class CreateQpResp {
    public static final int QPN = 0;
    public static final int QP_HANDLE = 4;
    public static final int BYTES = 8;

    private CreateQpResp() {}
}
