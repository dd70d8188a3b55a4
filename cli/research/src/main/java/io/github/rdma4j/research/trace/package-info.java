// SPDX-License-Identifier: Apache-2.0

/**
 * {@code rdma4j trace}: records what programs, their kernels and the wire do, puts it on one time line (clocks, causes,
 * order), and shows the time line as text, JSON and a page.
 */
@NullMarked
package io.github.rdma4j.research.trace;

import org.jspecify.annotations.NullMarked;
