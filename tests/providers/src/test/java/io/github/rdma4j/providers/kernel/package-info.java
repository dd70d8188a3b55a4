// SPDX-License-Identifier: Apache-2.0
/** The kernel in memory, asked by hand-made commands. */
@NullMarked
package io.github.rdma4j.providers.kernel;

import org.jspecify.annotations.NullMarked;
