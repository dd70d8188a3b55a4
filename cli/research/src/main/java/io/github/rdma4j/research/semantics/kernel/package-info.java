// SPDX-License-Identifier: Apache-2.0

/**
 * What a kernel does: commands and events without the library's logic, on the device of a guest; the situations in which
 * commands are given, and experiments on single behaviours; how both are recorded in a table.
 */
@NullMarked
package io.github.rdma4j.research.semantics.kernel;

import org.jspecify.annotations.NullMarked;
