// SPDX-License-Identifier: Apache-2.0
/** Programs with Netty, over RDMA or over TCP. */
@NullMarked
package io.github.rdma4j.bench.netty;

import org.jspecify.annotations.NullMarked;
