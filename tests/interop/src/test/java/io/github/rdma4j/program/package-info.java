// SPDX-License-Identifier: Apache-2.0
/** Tests of the command line programs with peers that disconnect early, send too much, or lose their device. */
@NullMarked
package io.github.rdma4j.program;

import org.jspecify.annotations.NullMarked;
