// SPDX-License-Identifier: Apache-2.0
/** The common parts of the commands: other processes, the guest, and the address to use for RDMA. */
@NullMarked
package io.github.rdma4j.cli.run;

import org.jspecify.annotations.NullMarked;
