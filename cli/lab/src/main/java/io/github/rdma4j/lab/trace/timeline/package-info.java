// SPDX-License-Identifier: Apache-2.0

/** One time line of two programs and the wire: clocks, causes, order. */
@NullMarked
package io.github.rdma4j.lab.trace.timeline;

import org.jspecify.annotations.NullMarked;
