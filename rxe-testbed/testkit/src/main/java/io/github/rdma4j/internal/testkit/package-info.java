// SPDX-License-Identifier: Apache-2.0
/**
 * A kernel in memory and its parts: descriptors, mappings, RDMA netlink, and the commands of verbs. For tests and tools
 * of rdma4j only.
 */
@NullMarked
package io.github.rdma4j.internal.testkit;

import org.jspecify.annotations.NullMarked;
