// SPDX-License-Identifier: Apache-2.0
/** The testbed's use of Testcontainers: an image for this machine's programs, and containers with streams. */
@NullMarked
package io.github.rdma4j.testbed.docker;

import org.jspecify.annotations.NullMarked;
