// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static io.github.rdma4j.internal.libc.Syscalls.MAP_ANONYMOUS;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_PRIVATE;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_SHARED;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_READ;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_WRITE;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import java.nio.ByteBuffer;

/**
 * Memory that the process shares with the kernel or a device, such as a queue's ring: mapped from the device by
 * mmap(2), or allocated by the process.
 *
 * <p>The mapping is never unmapped while Java code can reach it. {@link #retire()} replaces the kernel's pages by zero
 * pages, so a late reader finds zeros and does not fault; the address range is freed when the buffer is garbage
 * collected. The buffer must therefore not become a Netty ByteBuf, which would keep the bare address, and must not
 * leave the class that owns the ring.
 */
public final class KernelMapping {
    private final PageRange range;

    private KernelMapping(PageRange range) {
        this.range = range;
    }

    /** Maps {@code length} bytes at {@code offset} of {@code fd}, shared, for reading and writing. */
    public static KernelMapping map(Kernel kernel, KernelFd fd, long offset, int length, String what)
            throws ErrnoException {
        return map(kernel, fd, new Part(offset, length, PROT_READ | PROT_WRITE), what);
    }

    /**
     * Maps {@code length} bytes at {@code offset} of {@code fd}, shared, for reading; a store to the buffer crashes the
     * process.
     */
    public static KernelMapping mapReadOnly(Kernel kernel, KernelFd fd, long offset, int length, String what)
            throws ErrnoException {
        return map(kernel, fd, new Part(offset, length, PROT_READ), what);
    }

    private record Part(long offset, int length, int protection) {}

    private static KernelMapping map(Kernel kernel, KernelFd fd, Part part, String what) throws ErrnoException {
        int length = part.length();
        long address = fd.use(number -> LinuxKernel.of(kernel)
                .syscalls()
                .mmap(0, length, part.protection(), MAP_SHARED, number, part.offset()));
        if (address < 0) {
            throw failure("mmap " + what, address);
        }
        return new KernelMapping(PageRange.adopt(LinuxKernel.of(kernel).syscalls(), address, length));
    }

    /**
     * Maps {@code bytes} zeroed bytes of anonymous memory, rounded up to whole pages. Every page is written once: a
     * kernel that pins an untouched page may pin the shared zero page.
     */
    public static KernelMapping own(Kernel kernel, int bytes, String what) throws ErrnoException {
        Syscalls syscalls = LinuxKernel.of(kernel).syscalls();
        int page = syscalls.pageSize();
        int length = Math.addExact(bytes, page - 1) / page * page;
        long address = syscalls.mmap(0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (address < 0) {
            throw failure("mmap of " + length + " bytes for " + what, address);
        }
        PageRange range = PageRange.adopt(syscalls, address, length);
        for (int at = 0; at < length; at += page) {
            range.buffer().put(at, (byte) 0);
        }
        return new KernelMapping(range);
    }

    private static ErrnoException failure(String operation, long result) {
        Errno errno = Errno.ofResult(result);
        return new ErrnoException(
                operation,
                errno,
                errno.equals(Errno.ENOMEM)
                        ? "The number of mappings of a process is limited by vm.max_map_count; each queue needs one or two"
                                + " (/proc/self/maps lists them); its memory may also be limited (ulimit -v). Raise the"
                                + " limit, for example: sysctl -w vm.max_map_count=262144"
                        : "");
    }

    /** The mapped bytes, in native byte order. */
    public ByteBuffer buffer() {
        return range.buffer();
    }

    /** Releases the kernel's pages; idempotent. Later reads see zeros, later writes have no effect. */
    public void retire() {
        range.retire();
    }
}
