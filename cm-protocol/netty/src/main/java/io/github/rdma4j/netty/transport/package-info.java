// SPDX-License-Identifier: Apache-2.0

/**
 * A transport of Netty 4.1 and 4.2 over RDMA: {@link io.github.rdma4j.netty.transport.RdmaIoHandler} runs an event loop, and
 * {@link io.github.rdma4j.netty.transport.RdmaSocketChannel} and
 * {@link io.github.rdma4j.netty.transport.RdmaServerSocketChannel} are its channels.
 */
@NullMarked
package io.github.rdma4j.netty.transport;

import org.jspecify.annotations.NullMarked;
