// SPDX-License-Identifier: Apache-2.0

/** {@code rdma4j rcopy}: copies files to a server over a stream, as rcopy(1) does. */
@NullMarked
package io.github.rdma4j.cli.rcopy;

import org.jspecify.annotations.NullMarked;
