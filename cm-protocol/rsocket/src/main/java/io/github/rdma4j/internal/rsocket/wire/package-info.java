// SPDX-License-Identifier: Apache-2.0

/**
 * The protocol of rsockets, version 1, without a call to the kernel: connection data, messages, credits, the memory that
 * each side offers to the other.
 */
@NullMarked
package io.github.rdma4j.internal.rsocket.wire;

import org.jspecify.annotations.NullMarked;
