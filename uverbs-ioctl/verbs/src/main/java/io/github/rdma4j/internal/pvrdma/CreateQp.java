// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the driver's part of the command that creates a queue pair.
 *
 * <pre>{@code
 * struct pvrdma_create_qp {     // uapi/rdma/vmw_pvrdma-abi.h
 *     __aligned_u64 rbuf_addr;  //  0  the receive ring
 *     __aligned_u64 sbuf_addr;  //  8  a page with the indexes of both rings, and the send ring behind it
 *     __u32 rbuf_size;          // 16
 *     __u32 sbuf_size;          // 20
 *     __aligned_u64 qp_addr;    // 24  not used
 * };                            // 32
 * }</pre>
 */
@KernelStruct(value = "struct pvrdma_create_qp", header = "rdma/vmw_pvrdma-abi.h")
public final class CreateQp {
    public static final int RBUF_ADDR = 0;
    public static final int SBUF_ADDR = 8;
    public static final int RBUF_SIZE = 16;
    public static final int SBUF_SIZE = 20;
    public static final int QP_ADDR = 24;
    public static final int BYTES = 32;

    private CreateQp() {}
}
