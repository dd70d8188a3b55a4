// SPDX-License-Identifier: Apache-2.0
/**
 * The switches of an InfiniBand fabric between guests: they take packets out of Ethernet frames, answer the subnet
 * manager, and forward by the tables that the manager has set.
 */
@NullMarked
package io.github.rdma4j.testbed.fabric;

import org.jspecify.annotations.NullMarked;
