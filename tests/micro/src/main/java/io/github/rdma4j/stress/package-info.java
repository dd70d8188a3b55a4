// SPDX-License-Identifier: Apache-2.0
/** jcstress tests: every outcome of two threads that meet at a descriptor, at a ring, or at a close. */
@NullMarked
package io.github.rdma4j.stress;

import org.jspecify.annotations.NullMarked;
