// SPDX-License-Identifier: Apache-2.0
/**
 * What {@code cmatose} and {@code udaddy} have in common: their options, the way to a number of connections, and the
 * messages that travel over them.
 */
@NullMarked
package io.github.rdma4j.cli.transfer;

import org.jspecify.annotations.NullMarked;
