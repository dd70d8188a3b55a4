// SPDX-License-Identifier: Apache-2.0
/** Datagrams to multicast groups: what rdma-core's {@code mckey(1)} does. */
@NullMarked
package io.github.rdma4j.cli.mckey;

import org.jspecify.annotations.NullMarked;
