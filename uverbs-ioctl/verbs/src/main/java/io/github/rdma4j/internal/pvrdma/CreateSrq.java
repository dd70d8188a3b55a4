// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the driver's request that makes a shared receive queue.
 *
 * <pre>{@code
 * struct pvrdma_create_srq {   // uapi/rdma/vmw_pvrdma-abi.h
 *     __aligned_u64 buf_addr;  //  0
 *     __u32 buf_size;          //  8
 *     __u32 reserved;          // 12
 * };                           // 16
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_create_srq", header = "rdma/vmw_pvrdma-abi.h")
public final class CreateSrq {
    public static final int BUF_ADDR = 0;
    public static final int BUF_SIZE = 8;
    public static final int RESERVED = 12;
    public static final int BYTES = 16;

    private CreateSrq() {}
}
