// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a shared receive queue.
 *
 * <pre>{@code
 * struct mlx5_ib_create_srq_resp {  // uapi/rdma/mlx5-abi.h
 *     __u32 srqn;                   // 0
 *     __u32 reserved;               // 4
 * };                                // 8
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_create_srq_resp", header = "rdma/mlx5-abi.h")
public final class CreateSrqResp {
    public static final int SRQN = 0;
    public static final int RESERVED = 4;
    public static final int BYTES = 8;

    private CreateSrqResp() {}
}
