// SPDX-License-Identifier: Apache-2.0
/** What programs share that are measured in turns, and what becomes of their figures. */
@NullMarked
package io.github.rdma4j.bench.turns;

import org.jspecify.annotations.NullMarked;
