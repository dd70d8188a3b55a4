// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.JnrSyscalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Kernel;
import java.nio.file.Path;

/**
 * Access to a kernel: its system calls, and the mount points of sysfs and of the device nodes.
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
     * The implementation of {@code kernel}.
     *
     * @throws IllegalArgumentException for an implementation that is not this library's
     */
    public static LinuxKernel of(Kernel kernel) {
        if (kernel instanceof LinuxKernel known) {
            return known;
        }
        throw new IllegalArgumentException(
                kernel + " is not a kernel of rdma4j; use Kernel.running(), or omit the kernel");
    }

    /** The directory of the device nodes {@code rdma_cm}, {@code uverbs0} and so on. */
    public Path infinibandDirectory() {
        return dev.resolve("infiniband");
    }

    private static final class Running {
        static final LinuxKernel KERNEL = new LinuxKernel(JnrSyscalls.load(), Path.of("/sys"), Path.of("/dev"));
    }
}
