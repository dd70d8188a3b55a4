// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j sa}: queries to the subnet administration of an InfiniBand subnet, and joining and leaving multicast
 * groups.
 */
@NullMarked
package io.github.rdma4j.cli.sa;

import org.jspecify.annotations.NullMarked;
