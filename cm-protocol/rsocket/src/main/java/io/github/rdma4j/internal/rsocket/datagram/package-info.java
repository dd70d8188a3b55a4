// SPDX-License-Identifier: Apache-2.0

/**
 * Datagram rsockets: a queue pair of type UD for each local address, and a UDP socket by which peers learn the number of
 * each other's queue pair.
 */
@NullMarked
package io.github.rdma4j.internal.rsocket.datagram;

import org.jspecify.annotations.NullMarked;
