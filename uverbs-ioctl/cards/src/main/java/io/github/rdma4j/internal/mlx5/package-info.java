// SPDX-License-Identifier: Apache-2.0
/**
 * The rings, requests and replies of the mlx5 driver, NVIDIA ConnectX and BlueField: uapi {@code rdma/mlx5-abi.h},
 * driver ABI 1, and {@code infiniband/mlx5dv.h} of rdma-core for the device's data, which is big endian.
 */
@NullMarked
package io.github.rdma4j.internal.mlx5;

import org.jspecify.annotations.NullMarked;
