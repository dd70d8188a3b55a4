// SPDX-License-Identifier: Apache-2.0
/** Channels over RDMA beside channels over TCP. */
@NullMarked
package io.github.rdma4j.it.channels;

import org.jspecify.annotations.NullMarked;
