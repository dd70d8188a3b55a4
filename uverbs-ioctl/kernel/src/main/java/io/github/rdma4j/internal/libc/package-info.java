// SPDX-License-Identifier: Apache-2.0

/**
 * The system calls of Linux, by libc and JNR. No other package calls native code; other packages use {@link
 * io.github.rdma4j.internal.libc.Syscalls} and {@link io.github.rdma4j.internal.libc.SocketCalls}.
 */
@NullMarked
package io.github.rdma4j.internal.libc;

import org.jspecify.annotations.NullMarked;
