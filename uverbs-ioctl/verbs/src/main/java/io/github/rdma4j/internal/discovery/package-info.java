// SPDX-License-Identifier: Apache-2.0
/**
 * Finds RDMA devices through RDMA netlink (uapi {@code rdma/rdma_netlink.h}), and through sysfs if RDMA netlink does
 * not answer.
 */
@NullMarked
package io.github.rdma4j.internal.discovery;

import org.jspecify.annotations.NullMarked;
