// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that created a completion queue. The kernel writes 4 bytes.
 *
 * <pre>{@code
 * struct mlx5_ib_create_cq_resp {  // uapi/rdma/mlx5-abi.h
 *     __u32 cqn;                   // 0  the number that arming names
 *     __u32 reserved;              // 4
 * };                               // 8
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_create_cq_resp", header = "rdma/mlx5-abi.h")
public final class CreateCqResp {
    public static final int CQN = 0;
    public static final int RESERVED = 4;
    public static final int BYTES = 8;

    private CreateCqResp() {}
}
