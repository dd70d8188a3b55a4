// SPDX-License-Identifier: Apache-2.0
/**
 * The rings, requests and replies of the mlx4 driver, NVIDIA ConnectX-2 and ConnectX-3: uapi {@code rdma/mlx4-abi.h},
 * driver ABI 3 and 4, and {@code infiniband/mlx4dv.h} of rdma-core for the device's data, which is big endian.
 */
@NullMarked
package io.github.rdma4j.internal.mlx4;

import org.jspecify.annotations.NullMarked;
