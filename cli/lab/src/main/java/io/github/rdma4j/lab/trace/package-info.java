// SPDX-License-Identifier: Apache-2.0

/** {@code rdma4j trace}: what programs and their kernels say to each other through the connection manager. */
@NullMarked
package io.github.rdma4j.lab.trace;

import org.jspecify.annotations.NullMarked;
