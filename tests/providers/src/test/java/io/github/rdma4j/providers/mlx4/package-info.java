// SPDX-License-Identifier: Apache-2.0
/** The provider of mlx4, by itself. */
@NullMarked
package io.github.rdma4j.providers.mlx4;

import org.jspecify.annotations.NullMarked;
