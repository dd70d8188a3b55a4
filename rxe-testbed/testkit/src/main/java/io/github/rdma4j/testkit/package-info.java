// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels for tests. With them, programs that use rdma4j run on any machine, without RDMA hardware, kernel modules or
 * privileges.
 *
 * <p>Each method of rdma4j that opens a device accepts a {@link io.github.rdma4j.kernel.Kernel}. Programs omit it to
 * use the running kernel; tests pass a kernel of this package. {@link io.github.rdma4j.testkit.ScriptedKernel} plays an
 * exact sequence of system calls; {@code ModelRdmaCm} of {@code rdma4j-testkit-model} is a complete connection manager
 * in memory. Use the model to test a program, and the script to test one exchange byte by byte.
 *
 * <p>The package needs no test framework: failures are {@link java.lang.AssertionError}s.
 */
@NullMarked
package io.github.rdma4j.testkit;

import org.jspecify.annotations.NullMarked;
