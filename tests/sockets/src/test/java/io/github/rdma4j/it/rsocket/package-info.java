// SPDX-License-Identifier: Apache-2.0

/** Streams of bytes: two ends in this JVM, and C's rsockets as the peer. */
@NullMarked
package io.github.rdma4j.it.rsocket;

import org.jspecify.annotations.NullMarked;
