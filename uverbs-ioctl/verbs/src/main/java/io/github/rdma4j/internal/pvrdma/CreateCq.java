// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the driver's part of the command that creates a completion queue.
 *
 * <pre>{@code
 * struct pvrdma_create_cq {    // uapi/rdma/vmw_pvrdma-abi.h
 *     __aligned_u64 buf_addr;  //  0  a page with the indexes, and the ring behind it
 *     __u32 buf_size;          //  8
 *     __u32 reserved;          // 12
 * };                           // 16
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_create_cq", header = "rdma/vmw_pvrdma-abi.h")
public final class CreateCq {
    public static final int BUF_ADDR = 0;
    public static final int BUF_SIZE = 8;
    public static final int RESERVED = 12;
    public static final int BYTES = 16;

    private CreateCq() {}
}
