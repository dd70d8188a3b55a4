// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels for tests: run a program that uses rdma4j on any machine, without RDMA hardware, kernel modules or
 * privileges.
 *
 * <p>Everything in rdma4j that opens a device takes a {@link io.github.rdma4j.kernel.Kernel}. Programs leave it out and
 * get the running kernel; a test passes a kernel of this package. {@link io.github.rdma4j.testkit.ScriptedKernel} plays
 * an exact sequence of system calls; {@code ModelRdmaCm} of {@code rdma4j-testkit-model} is a whole connection manager
 * in memory. Use the model to test a program, and the script to test one exchange byte by byte.
 *
 * <p>The package needs no test framework: failures are {@link java.lang.AssertionError}s.
 */
@NullMarked
package io.github.rdma4j.testkit;

import org.jspecify.annotations.NullMarked;
