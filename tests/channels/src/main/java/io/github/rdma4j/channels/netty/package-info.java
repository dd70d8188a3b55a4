// SPDX-License-Identifier: Apache-2.0
/** Random programs over the channels of Netty. */
@NullMarked
package io.github.rdma4j.channels.netty;

import org.jspecify.annotations.NullMarked;
