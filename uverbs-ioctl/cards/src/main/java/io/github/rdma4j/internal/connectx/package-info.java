// SPDX-License-Identifier: Apache-2.0
/**
 * Common parts of the ConnectX data paths, from ConnectX-2 on: the parts that are equal in {@code infiniband/mlx4dv.h}
 * and {@code infiniband/mlx5dv.h} of rdma-core. Data for the device is big endian.
 */
@NullMarked
package io.github.rdma4j.internal.connectx;

import org.jspecify.annotations.NullMarked;
