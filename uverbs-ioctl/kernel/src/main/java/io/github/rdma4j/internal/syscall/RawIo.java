// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the data path needs of {@link KernelFd} and a public class does not show: the system calls that take memory by
 * its address, which return the result, or minus the error number, and a wait without an object for its time limit.
 * None of them allocates.
 */
public final class RawIo {
    private static volatile @Nullable Access installed;

    private RawIo() {}

    /** How {@link KernelFd} makes the calls. */
    public interface Access {
        long read(KernelFd fd, long address, long length);

        long write(KernelFd fd, long address, long length);

        long ringUncounted(KernelFd fd, long address, long length);

        int ioctl(KernelFd fd, long request, long address);

        boolean await(Pollable source, long now, long limit) throws RdmaException, InterruptedException;
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

    /**
     * write(2) without counting the call, which saves two atomic instructions: for a caller who sees to it that the
     * descriptor is not closed before the call returns.
     */
    public static long ringUncounted(KernelFd fd, long address, long length) {
        return Installed.ACCESS.ringUncounted(fd, address, length);
    }

    /** ioctl(2). */
    public static int ioctl(KernelFd fd, long request, long address) {
        return Installed.ACCESS.ioctl(fd, request, address);
    }

    /**
     * Waits as {@link io.github.rdma4j.kernel.Readiness#await(Pollable, io.github.rdma4j.kernel.Deadline)} does.
     *
     * @param now the time by {@link System#nanoTime()}, which the caller has read a moment ago; not used without a
     *     limit
     * @param limit nanoseconds from now; {@link Long#MAX_VALUE} for no limit
     */
    public static boolean await(Pollable source, long now, long limit) throws RdmaException, InterruptedException {
        return Installed.ACCESS.await(source, now, limit);
    }
}
