// SPDX-License-Identifier: Apache-2.0
/** Programs with channels, over rdma4j's provider of NIO or on a stream itself. */
@NullMarked
package io.github.rdma4j.bench.nio;

import org.jspecify.annotations.NullMarked;
