// SPDX-License-Identifier: Apache-2.0
/** RDMA netlink (uapi {@code rdma/rdma_netlink.h}): requests, answers and the socket. */
@NullMarked
package io.github.rdma4j.internal.netlink;

import org.jspecify.annotations.NullMarked;
