// SPDX-License-Identifier: Apache-2.0
/** The provider of mlx5, by itself. */
@NullMarked
package io.github.rdma4j.providers.mlx5;

import org.jspecify.annotations.NullMarked;
