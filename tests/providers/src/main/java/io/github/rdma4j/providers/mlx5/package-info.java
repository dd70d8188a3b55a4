// SPDX-License-Identifier: Apache-2.0
/** The driver of ConnectX and BlueField in the harness. */
@NullMarked
package io.github.rdma4j.providers.mlx5;

import org.jspecify.annotations.NullMarked;
