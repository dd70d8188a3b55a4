// SPDX-License-Identifier: Apache-2.0
/**
 * Which RDMA devices there are: RDMA netlink (uapi {@code rdma/rdma_netlink.h}), and sysfs where that does not answer.
 */
@NullMarked
package io.github.rdma4j.internal.discovery;

import org.jspecify.annotations.NullMarked;
