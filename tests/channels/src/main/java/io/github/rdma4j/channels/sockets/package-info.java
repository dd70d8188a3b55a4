// SPDX-License-Identifier: Apache-2.0
/** Random programs over plain sockets. */
@NullMarked
package io.github.rdma4j.channels.sockets;

import org.jspecify.annotations.NullMarked;
