// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The driver-specific object for doorbell pages, with its methods and attributes. */
@KernelConstants({"rdma/mlx5_user_ioctl_cmds.h", "rdma/mlx5_user_ioctl_verbs.h"})
public final class Mlx5Methods {
    public static final int MLX5_IB_OBJECT_UAR = 0x1008;
    public static final int MLX5_IB_METHOD_UAR_OBJ_ALLOC = 0x1000;

    public static final int MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE = 0x1000;
    public static final int MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE = 0x1001;
    public static final int MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET = 0x1002;
    public static final int MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH = 0x1003;
    public static final int MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID = 0x1004;

    public static final int MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC = 1;

    private Mlx5Methods() {}
}
