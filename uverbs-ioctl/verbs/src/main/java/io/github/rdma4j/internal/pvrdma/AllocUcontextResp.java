// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made a context.
 *
 * <pre>{@code
 * struct pvrdma_alloc_ucontext_resp {// uapi/rdma/vmw_pvrdma-abi.h
 *     __u32 qp_tab_size;  //  0  the most queue pairs that the device has
 *     __u32 reserved;     //  4
 * };                      // 8
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_alloc_ucontext_resp", header = "rdma/vmw_pvrdma-abi.h")
public final class AllocUcontextResp {
    public static final int QP_TAB_SIZE = 0;
    public static final int RESERVED = 4;
    public static final int BYTES = 8;

    private AllocUcontextResp() {}
}
