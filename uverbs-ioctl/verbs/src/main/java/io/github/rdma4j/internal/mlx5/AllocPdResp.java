// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made a protection domain. Without room for it the command fails with EFAULT.
 *
 * <pre>{@code
 * struct mlx5_ib_alloc_pd_resp {  // uapi/rdma/mlx5-abi.h
 *     __u32 pdn;                  // 0
 * };                              // 4
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_alloc_pd_resp", header = "rdma/mlx5-abi.h")
public final class AllocPdResp {
    public static final int PDN = 0;
    public static final int BYTES = 4;

    private AllocPdResp() {}
}
