// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made a completion queue.
 *
 * <pre>{@code
 * struct pvrdma_create_cq_resp {// uapi/rdma/vmw_pvrdma-abi.h
 *     __u32 cqn;       //  0  the number in the doorbell
 *     __u32 reserved;  //  4
 * };                   // 8
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_create_cq_resp", header = "rdma/vmw_pvrdma-abi.h")
public final class CreateCqResp {
    public static final int CQN = 0;
    public static final int RESERVED = 4;
    public static final int BYTES = 8;

    private CreateCqResp() {}
}
