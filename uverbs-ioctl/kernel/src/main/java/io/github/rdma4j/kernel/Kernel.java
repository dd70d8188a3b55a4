// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.fd.LinuxKernel;

/**
 * A kernel on which devices, event channels and ports are opened. Methods without a {@code Kernel} parameter use the
 * running kernel; tests may pass a scripted kernel.
 */
public sealed interface Kernel permits LinuxKernel {
    /** Returns the kernel that runs this process. The first call loads libc. */
    static Kernel running() {
        return LinuxKernel.running();
    }
}
