// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import io.github.rdma4j.kernel.KernelFd;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The system calls of a {@link KernelFd} that take memory by its address, which a public class does not show. None of them
 * allocates; each returns the result, or minus the error number.
 */
public final class RawIo {
    private static volatile @Nullable Access installed;

    private RawIo() {}

    /** How {@link KernelFd} makes the calls. */
    public interface Access {
        long read(KernelFd fd, long address, long length);

        long write(KernelFd fd, long address, long length);

        int ioctl(KernelFd fd, long request, long address);
    }

    /** Called by {@link KernelFd} when its class is initialised, so before there is a descriptor. */
    public static void install(Access access) {
        installed = access;
    }

    /** Read once, when the first call is made; a constant for the compiler afterwards. */
    private static final class Installed {
        static final Access ACCESS = Objects.requireNonNull(installed);
    }

    /** read(2). */
    public static long read(KernelFd fd, long address, long length) {
        return Installed.ACCESS.read(fd, address, length);
    }

    /** write(2). */
    public static long write(KernelFd fd, long address, long length) {
        return Installed.ACCESS.write(fd, address, length);
    }

    /** ioctl(2). */
    public static int ioctl(KernelFd fd, long request, long address) {
        return Installed.ACCESS.ioctl(fd, request, address);
    }
}
