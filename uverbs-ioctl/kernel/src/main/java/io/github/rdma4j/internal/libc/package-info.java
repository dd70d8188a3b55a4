// SPDX-License-Identifier: Apache-2.0

/**
 * The system calls of Linux, by libc and JNR. Other packages make system calls only by {@link
 * io.github.rdma4j.internal.libc.Syscalls} and {@link io.github.rdma4j.internal.libc.SocketCalls}.
 */
@NullMarked
package io.github.rdma4j.internal.libc;

import org.jspecify.annotations.NullMarked;
