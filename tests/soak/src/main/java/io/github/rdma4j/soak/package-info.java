// SPDX-License-Identifier: Apache-2.0
/** The soak run: faults from a seed, one after another, and what must be true after each. */
@NullMarked
package io.github.rdma4j.soak;

import org.jspecify.annotations.NullMarked;
