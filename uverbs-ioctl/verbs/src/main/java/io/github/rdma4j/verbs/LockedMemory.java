// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;

/** Advice for commands that fail because the kernel may not pin more memory of this process. */
final class LockedMemory {
    private static final String DEVICE_FULL =
            "The device may have no room for more queues: see maxQp, maxCq and maxSrq of DeviceContext.queryDevice()";

    private LockedMemory() {}

    /** Adds advice to {@code e} if the kernel had no memory for {@code what}. */
    static ErrnoException explain(Kernel kernel, ErrnoException e, String what) {
        return e.errno().equals(Errno.ENOMEM)
                ? new ErrnoException(e.operation() + what, e.errno(), limitOf(kernel))
                : e;
    }

    private static String limitOf(Kernel kernel) {
        long limit = LinuxKernel.of(kernel).syscalls().lockedMemoryLimit();
        String limitText = limit == Long.MAX_VALUE ? "unlimited" : limit + " bytes";
        return "RLIMIT_MEMLOCK is " + limitText + " for all pinned memory of this user: raise it (ulimit -l unlimited,"
                + " docker run --ulimit memlock=-1, systemd LimitMEMLOCK=infinity) or pin less";
    }

    /**
     * Adds advice to a command that creates a queue. The kernel pins the queue if the driver names process memory.
     */
    static <G> Creating.Command<G> explained(Kernel kernel, Creating.Command<G> command) {
        return driver -> {
            try {
                return command.send(driver);
            } catch (ErrnoException e) {
                if (!e.errno().equals(Errno.ENOMEM)) {
                    throw e;
                }
                throw driver.requestBytes() == 0
                        ? new ErrnoException(e.operation(), e.errno(), DEVICE_FULL)
                        : new ErrnoException(
                                e.operation() + " (queue memory is pinned)",
                                e.errno(),
                                limitOf(kernel) + ". " + DEVICE_FULL);
            }
        };
    }
}
