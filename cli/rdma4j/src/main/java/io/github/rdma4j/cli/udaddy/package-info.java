// SPDX-License-Identifier: Apache-2.0
/** Datagrams between ids of the connection manager: what rdma-core's {@code udaddy(1)} does. */
@NullMarked
package io.github.rdma4j.cli.udaddy;

import org.jspecify.annotations.NullMarked;
