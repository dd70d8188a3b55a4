// SPDX-License-Identifier: Apache-2.0
/** Questions to the subnet administration of an InfiniBand subnet, and joining and leaving multicast groups by hand. */
@NullMarked
package io.github.rdma4j.cli.sa;

import org.jspecify.annotations.NullMarked;
