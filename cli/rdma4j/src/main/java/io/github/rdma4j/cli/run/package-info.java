// SPDX-License-Identifier: Apache-2.0
/** Common parts of the commands: other processes, guests, output, and RDMA addresses. */
@NullMarked
package io.github.rdma4j.cli.run;

import org.jspecify.annotations.NullMarked;
