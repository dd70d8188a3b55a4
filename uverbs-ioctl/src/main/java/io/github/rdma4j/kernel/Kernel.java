// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.syscall.JnrSyscalls;
import io.github.rdma4j.internal.syscall.Syscalls;
import java.nio.file.Path;

/**
 * Where the kernel is reached: its system calls, and where sysfs and the device nodes are mounted.
 *
 * @param syscalls the system calls
 * @param sysfs the mount point of sysfs, normally {@code /sys}
 * @param dev the directory of device nodes, normally {@code /dev}
 */
public record Kernel(Syscalls syscalls, Path sysfs, Path dev) {
    /** The kernel that runs this process. Libc is loaded at the first call. */
    public static Kernel running() {
        return Running.KERNEL;
    }

    /** The directory that holds {@code rdma_cm}, {@code uverbs0} and the like. */
    public Path infinibandDirectory() {
        return dev.resolve("infiniband");
    }

    private static final class Running {
        static final Kernel KERNEL = new Kernel(JnrSyscalls.load(), Path.of("/sys"), Path.of("/dev"));
    }
}
