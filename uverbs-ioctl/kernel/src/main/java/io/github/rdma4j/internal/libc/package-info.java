// SPDX-License-Identifier: Apache-2.0

/**
 * The system calls of Linux, by libc and JNR: the only package that knows how native code is called. {@link
 * io.github.rdma4j.internal.libc.Syscalls} and {@link io.github.rdma4j.internal.libc.SocketCalls} are what the rest sees.
 */
@NullMarked
package io.github.rdma4j.internal.libc;

import org.jspecify.annotations.NullMarked;
