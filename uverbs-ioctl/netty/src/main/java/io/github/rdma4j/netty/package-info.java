// SPDX-License-Identifier: Apache-2.0
/**
 * Netty buffers for RDMA: {@link io.github.rdma4j.netty.RegisteredByteBufAllocator} allocates buffers in registered
 * memory, and {@link io.github.rdma4j.netty.NettyMemory} adds them to work requests or registers buffers of other
 * allocators.
 */
@NullMarked
package io.github.rdma4j.netty;

import org.jspecify.annotations.NullMarked;
