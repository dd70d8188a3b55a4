// SPDX-License-Identifier: Apache-2.0
/** What libmlx5 writes for an operation, byte for byte, and the same operations on the provider in Java. */
@NullMarked
package io.github.rdma4j.lab.mlx5.vectors;

import org.jspecify.annotations.NullMarked;
