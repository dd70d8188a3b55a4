// SPDX-License-Identifier: Apache-2.0

/** Netty's transport over RDMA: its own scenarios, and the tests that Netty publishes for transports. */
@NullMarked
package io.github.rdma4j.it.netty;

import org.jspecify.annotations.NullMarked;
