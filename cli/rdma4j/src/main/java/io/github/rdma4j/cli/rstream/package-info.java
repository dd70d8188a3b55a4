// SPDX-License-Identifier: Apache-2.0

/** Streams of bytes between two programs, as rstream(1) has them. */
@NullMarked
package io.github.rdma4j.cli.rstream;

import org.jspecify.annotations.NullMarked;
