// SPDX-License-Identifier: Apache-2.0
/** The kernel in memory, asked by hand-made commands. */
@NullMarked
package io.github.rdma4j.lab.providers.kernel;

import org.jspecify.annotations.NullMarked;
