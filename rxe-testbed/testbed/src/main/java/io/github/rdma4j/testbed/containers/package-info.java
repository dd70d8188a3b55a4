// SPDX-License-Identifier: Apache-2.0
/**
 * Containers with an RDMA device, for projects that use Testcontainers. The package needs {@code
 * org.testcontainers:testcontainers} 1.20 or later in its first major version, which the project that uses the package
 * brings.
 */
@NullMarked
package io.github.rdma4j.testbed.containers;

import org.jspecify.annotations.NullMarked;
