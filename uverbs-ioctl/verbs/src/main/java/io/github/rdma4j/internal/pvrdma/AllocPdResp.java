// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made a protection domain.
 *
 * <pre>{@code
 * struct pvrdma_alloc_pd_resp {// uapi/rdma/vmw_pvrdma-abi.h
 *     __u32 pdn;       //  0
 *     __u32 reserved;  //  4
 * };                   // 8
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_alloc_pd_resp", header = "rdma/vmw_pvrdma-abi.h")
public final class AllocPdResp {
    public static final int PDN = 0;
    public static final int RESERVED = 4;
    public static final int BYTES = 8;

    private AllocPdResp() {}
}
