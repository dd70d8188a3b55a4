// SPDX-License-Identifier: Apache-2.0

/**
 * The native wire, version 1, without a call to the kernel: private data, headers, credits, the memory that is sent from.
 */
@NullMarked
package io.github.rdma4j.internal.netty.wire;

import org.jspecify.annotations.NullMarked;
