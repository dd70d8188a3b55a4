// SPDX-License-Identifier: Apache-2.0

/** The messages of the InfiniBand connection manager: bytes to named fields, and back. */
@NullMarked
package io.github.rdma4j.lab.trace.mad;

import org.jspecify.annotations.NullMarked;
