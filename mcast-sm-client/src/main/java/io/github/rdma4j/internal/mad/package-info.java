// SPDX-License-Identifier: Apache-2.0

/** The headers that management datagrams (MADs) begin with: bytes to values and back. */
@NullMarked
package io.github.rdma4j.internal.mad;

import org.jspecify.annotations.NullMarked;
