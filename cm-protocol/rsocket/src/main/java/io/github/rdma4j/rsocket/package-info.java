// SPDX-License-Identifier: Apache-2.0

/**
 * Streams of bytes over RDMA, as sockets have them, compatible with {@code rsocket(7)} of librdmacm: a program of this
 * package and a C program with rsockets understand each other.
 */
@NullMarked
package io.github.rdma4j.rsocket;

import org.jspecify.annotations.NullMarked;
