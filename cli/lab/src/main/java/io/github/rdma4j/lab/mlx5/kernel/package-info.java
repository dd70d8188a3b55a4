// SPDX-License-Identifier: Apache-2.0
/**
 * A kernel in memory with the driver mlx5_ib: it answers uverbs as Linux 6.1 does, and its device is the software ConnectX of
 * {@code io.github.rdma4j.lab.mlx5.card}.
 */
@NullMarked
package io.github.rdma4j.lab.mlx5.kernel;

import org.jspecify.annotations.NullMarked;
