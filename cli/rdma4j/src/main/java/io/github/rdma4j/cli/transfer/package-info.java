// SPDX-License-Identifier: Apache-2.0
/**
 * Messages over many connections ({@code cmatose}), datagrams ({@code udaddy}) and datagrams to multicast groups
 * ({@code mckey}), as the programs of rdma-core exchange them.
 */
@NullMarked
package io.github.rdma4j.cli.transfer;

import org.jspecify.annotations.NullMarked;
