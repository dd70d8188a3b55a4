// SPDX-License-Identifier: Apache-2.0
/**
 * jcstress tests: races of two threads at a descriptor, at a ring, at a readiness set and at a close, with all allowed
 * outcomes.
 */
@NullMarked
package io.github.rdma4j.stress;

import org.jspecify.annotations.NullMarked;
