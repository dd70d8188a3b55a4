// SPDX-License-Identifier: Apache-2.0
/**
 * Buffers of Netty: {@link io.github.rdma4j.netty.RegisteredByteBufAllocator} allocates buffers in memory that is registered
 * already, and {@link io.github.rdma4j.netty.NettyMemory} adds them to work requests, or registers a buffer of another allocator.
 */
@NullMarked
package io.github.rdma4j.netty;

import org.jspecify.annotations.NullMarked;
