// SPDX-License-Identifier: Apache-2.0
/**
 * Containers with an RDMA device, for projects that use Testcontainers. Such a project must depend on {@code
 * org.testcontainers:testcontainers} 1.20 or a later 1.x version.
 */
@NullMarked
package io.github.rdma4j.testbed.containers;

import org.jspecify.annotations.NullMarked;
