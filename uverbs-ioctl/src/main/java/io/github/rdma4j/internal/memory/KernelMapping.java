// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static io.github.rdma4j.internal.syscall.Syscalls.MAP_SHARED;
import static io.github.rdma4j.internal.syscall.Syscalls.PROT_READ;
import static io.github.rdma4j.internal.syscall.Syscalls.PROT_WRITE;

import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.KernelFd;
import java.nio.ByteBuffer;

/**
 * Memory that the kernel shares through mmap(2) of a device, such as a queue's ring.
 *
 * <p>It is never unmapped while Java can reach it. {@link #retire()} puts fresh zero pages in the place of the kernel's,
 * which drops the kernel's pages at once and leaves a late reader with zeros instead of a fault; the address range goes
 * back when the buffer is garbage. The buffer must therefore not be turned into a Netty ByteBuf (those keep the bare
 * address) and must not leave the class that owns the ring.
 */
public final class KernelMapping {
    private final PageRange range;

    private KernelMapping(PageRange range) {
        this.range = range;
    }

    /** Maps {@code length} bytes at {@code offset} of {@code fd}, shared, for reading and writing. */
    public static KernelMapping map(Kernel kernel, KernelFd fd, long offset, int length, String what)
            throws ErrnoException {
        long address = fd.use(number ->
                LinuxKernel.of(kernel).syscalls().mmap(0, length, PROT_READ | PROT_WRITE, MAP_SHARED, number, offset));
        if (address < 0) {
            throw new ErrnoException("mmap " + what, Errno.ofResult(address));
        }
        return new KernelMapping(PageRange.adopt(LinuxKernel.of(kernel).syscalls(), address, length));
    }

    /** The mapped bytes, in native byte order. */
    public ByteBuffer buffer() {
        return range.buffer();
    }

    /** Gives the kernel's pages back; idempotent. Readers from now on see zeros, writers write to nowhere. */
    public void retire() {
        range.retire();
    }
}
