// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelConstants;

/** Flags of the driver's requests and replies. */
@KernelConstants("rdma/mlx5-abi.h")
public final class Mlx5Abi {
    public static final int MLX5_IB_UVERBS_ABI_VERSION = 1;

    public static final int MLX5_LIB_CAP_4K_UAR = 1;
    public static final int MLX5_LIB_CAP_DYN_UAR = 2;

    public static final int MLX5_USER_CMDS_SUPP_UHW_CREATE_AH = 2;

    public static final int MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX = 2;

    public static final int MLX5_QP_FLAG_UAR_PAGE_INDEX = 1024;

    private Mlx5Abi() {}
}
