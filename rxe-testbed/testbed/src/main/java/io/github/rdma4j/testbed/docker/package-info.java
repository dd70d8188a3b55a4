// SPDX-License-Identifier: Apache-2.0
/** How the testbed uses Testcontainers: an image of this machine's programs, and containers with streams. */
@NullMarked
package io.github.rdma4j.testbed.docker;

import org.jspecify.annotations.NullMarked;
