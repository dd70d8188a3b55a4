// SPDX-License-Identifier: Apache-2.0
/**
 * What the data paths of ConnectX have in common, from ConnectX-2 on: {@code infiniband/mlx4dv.h} and {@code
 * infiniband/mlx5dv.h} of rdma-core where they are equal. What the device reads and writes is big endian.
 */
@NullMarked
package io.github.rdma4j.internal.connectx;

import org.jspecify.annotations.NullMarked;
