// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made a shared receive queue.
 *
 * <pre>{@code
 * struct pvrdma_create_srq_resp {  // uapi/rdma/vmw_pvrdma-abi.h
 *     __u32 srqn;                  //  0
 *     __u32 reserved;              //  4
 * };                               // 8
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_create_srq_resp", header = "rdma/vmw_pvrdma-abi.h")
public final class CreateSrqResp {
    public static final int SRQN = 0;
    public static final int RESERVED = 4;
    public static final int BYTES = 8;

    private CreateSrqResp() {}
}
