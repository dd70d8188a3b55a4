// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j cmtime}: measures the time of each step of setting up and ending many connections. Prints the same
 * table as {@code cmtime(1)} of rdma-core, and works with either program as the peer.
 */
@NullMarked
package io.github.rdma4j.cli.cmtime;

import org.jspecify.annotations.NullMarked;
