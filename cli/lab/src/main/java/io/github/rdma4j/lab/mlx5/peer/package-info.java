// SPDX-License-Identifier: Apache-2.0
/** libmlx5 in a process of its own, and the provider in Java, on one ConnectX in software. */
@NullMarked
package io.github.rdma4j.lab.mlx5.peer;

import org.jspecify.annotations.NullMarked;
