// SPDX-License-Identifier: Apache-2.0
/** The programs that measure what a call costs do what they say. Nothing is timed here. */
@NullMarked
package io.github.rdma4j.bench.cost;

import org.jspecify.annotations.NullMarked;
