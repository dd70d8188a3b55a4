// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.JnrSyscalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Kernel;
import java.nio.file.Path;

/**
 * How a kernel is reached: its system calls, and where sysfs and the device nodes are mounted.
 *
 * @param syscalls the system calls
 * @param sysfs the mount point of sysfs, normally {@code /sys}
 * @param dev the directory of device nodes, normally {@code /dev}
 */
public record LinuxKernel(Syscalls syscalls, Path sysfs, Path dev) implements Kernel {
    /** The kernel that runs this process. */
    public static LinuxKernel running() {
        return Running.KERNEL;
    }

    /**
     * What stands behind {@code kernel}.
     *
     * @throws IllegalArgumentException for an implementation that is not this library's
     */
    public static LinuxKernel of(Kernel kernel) {
        if (kernel instanceof LinuxKernel known) {
            return known;
        }
        throw new IllegalArgumentException(
                kernel + " is no kernel of rdma4j's; use Kernel.running(), or leave the kernel out");
    }

    /** The directory that holds {@code rdma_cm}, {@code uverbs0} and the like. */
    public Path infinibandDirectory() {
        return dev.resolve("infiniband");
    }

    private static final class Running {
        static final LinuxKernel KERNEL = new LinuxKernel(JnrSyscalls.load(), Path.of("/sys"), Path.of("/dev"));
    }
}
