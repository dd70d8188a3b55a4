// SPDX-License-Identifier: Apache-2.0

/** Channels, selectors and sockets of {@code java.nio}; what differs between kinds of streams is below {@code Source}. */
@NullMarked
package io.github.rdma4j.internal.nio;

import org.jspecify.annotations.NullMarked;
