// SPDX-License-Identifier: Apache-2.0
/**
 * Support for character devices of the kernel: descriptors that cannot be used after close, error numbers as values,
 * and waits that end on close and interruption. The system calls are those of section 2 of the Linux manual.
 */
@NullMarked
package io.github.rdma4j.kernel;

import org.jspecify.annotations.NullMarked;
