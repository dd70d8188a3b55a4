// SPDX-License-Identifier: Apache-2.0

/** {@code rdma4j rstream}: streams of bytes between two programs, as in rstream(1). */
@NullMarked
package io.github.rdma4j.cli.rstream;

import org.jspecify.annotations.NullMarked;
