// SPDX-License-Identifier: Apache-2.0
/** The command line {@code rdma4j}: {@link io.github.rdma4j.cli.Main} starts the subcommands. */
@NullMarked
package io.github.rdma4j.cli;

import org.jspecify.annotations.NullMarked;
