// SPDX-License-Identifier: Apache-2.0

/**
 * Connections of rsockets over the connection manager: memory, queues, waiting, the service thread. For the modules of
 * rdma4j.
 */
@NullMarked
package io.github.rdma4j.internal.rsocket;

import org.jspecify.annotations.NullMarked;
