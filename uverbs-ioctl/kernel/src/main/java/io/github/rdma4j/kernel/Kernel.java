// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.syscall.LinuxKernel;

/**
 * A kernel that devices, event channels and ports are opened on. Programs use the kernel that runs them, which is what methods
 * without a {@code Kernel} mean; tests may bring a scripted kernel.
 */
public sealed interface Kernel permits LinuxKernel {
    /** The kernel that runs this process. The first call loads libc. */
    static Kernel running() {
        return LinuxKernel.running();
    }
}
