// SPDX-License-Identifier: Apache-2.0
/** The driver of ConnectX-3 in the harness. */
@NullMarked
package io.github.rdma4j.providers.mlx4;

import org.jspecify.annotations.NullMarked;
