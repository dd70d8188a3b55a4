// SPDX-License-Identifier: Apache-2.0
/** The soak run: injects faults, chosen by a seed, one after another, and checks the invariants after each fault. */
@NullMarked
package io.github.rdma4j.soak;

import org.jspecify.annotations.NullMarked;
