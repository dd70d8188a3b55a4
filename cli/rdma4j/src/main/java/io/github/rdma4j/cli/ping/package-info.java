// SPDX-License-Identifier: Apache-2.0
/**
 * The rping exchange: the client offers a buffer, the server reads it by RDMA read and writes it back by RDMA write,
 * and the client compares. Compatible with rdma-core's {@code rping(1)} on both sides.
 */
@NullMarked
package io.github.rdma4j.cli.ping;

import org.jspecify.annotations.NullMarked;
