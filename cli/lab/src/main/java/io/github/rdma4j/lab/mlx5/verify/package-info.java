// SPDX-License-Identifier: Apache-2.0
/** {@code rdma4j verify mlx5}: random verbs on the provider in Java and on libmlx5, as many as are asked for. */
@NullMarked
package io.github.rdma4j.lab.mlx5.verify;

import org.jspecify.annotations.NullMarked;
