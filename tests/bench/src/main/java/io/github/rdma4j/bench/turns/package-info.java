// SPDX-License-Identifier: Apache-2.0
/** What the programs share that the suite measures in turns. */
@NullMarked
package io.github.rdma4j.bench.turns;

import org.jspecify.annotations.NullMarked;
