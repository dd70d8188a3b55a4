// SPDX-License-Identifier: Apache-2.0
/** The system calls as an interface, and the only package that reaches libc (through JNR). */
@NullMarked
package io.github.rdma4j.internal.syscall;

import org.jspecify.annotations.NullMarked;
