// SPDX-License-Identifier: Apache-2.0
/**
 * The system calls as an interface, and the only package that reaches libc (through jffi, the lowest layer of JNR);
 * above them the descriptor that cannot be used after it is closed ({@link io.github.rdma4j.internal.syscall.KernelFd}),
 * and waiting for descriptors.
 */
@NullMarked
package io.github.rdma4j.internal.syscall;

import org.jspecify.annotations.NullMarked;
