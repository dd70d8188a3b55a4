// SPDX-License-Identifier: Apache-2.0
/** The command line {@code rdma4j}: each subcommand has a package of its own, {@link io.github.rdma4j.cli.Main} ties. */
@NullMarked
package io.github.rdma4j.cli;

import org.jspecify.annotations.NullMarked;
