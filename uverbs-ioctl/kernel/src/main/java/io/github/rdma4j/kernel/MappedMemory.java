// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import static io.github.rdma4j.internal.libc.Syscalls.MAP_ANONYMOUS;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_PRIVATE;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_READ;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_WRITE;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.PageRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Page-aligned anonymous memory of any length, for memory regions that must be page-aligned or exceed the 2 GiB of a
 * {@link ByteBuffer}.
 *
 * <p>{@link #slice} gives access to the bytes. {@link #close()} returns the pages to the kernel at once; slices still
 * in use then read zeros, and the address range is freed when the last slice is garbage collected. Before closing,
 * deregister the memory regions that cover this memory, because they keep its pages pinned. Safe for use by several
 * threads, except for the contents.
 */
public final class MappedMemory implements AutoCloseable {
    /** The number of bytes of one underlying buffer; slices do not cross its end. */
    static final int WINDOW = 1 << 30;

    private final long length;
    private final List<PageRange> windows;
    private volatile boolean closed;

    private MappedMemory(long length, List<PageRange> windows) {
        this.length = length;
        this.windows = windows;
    }

    /**
     * Maps {@code length} zeroed bytes, rounded up to whole pages. The kernel allocates a page when it is first touched
     * or pinned.
     *
     * @throws IllegalArgumentException if {@code length} is less than 1
     * @throws ErrnoException ENOMEM if the kernel does not grant the memory
     */
    public static MappedMemory allocate(long length) throws ErrnoException {
        return allocate(Kernel.running(), length);
    }

    static MappedMemory allocate(Kernel kernel, long length) throws ErrnoException {
        Syscalls syscalls = LinuxKernel.of(kernel).syscalls();
        long page = syscalls.pageSize();
        if (length <= 0 || length > Long.MAX_VALUE - page) {
            throw new IllegalArgumentException("length is " + length + " bytes; it must be 1 or more");
        }
        long rounded = (length + page - 1) / page * page;
        long address = syscalls.mmap(0, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (address < 0) {
            Errno errno = Errno.ofResult(address);
            throw new ErrnoException("mmap of " + rounded + " bytes", errno, adviceForMmap(errno));
        }
        List<PageRange> windows = new ArrayList<>();
        for (long offset = 0; offset < rounded; offset += WINDOW) {
            windows.add(PageRange.adopt(syscalls, address + offset, (int) Math.min(WINDOW, rounded - offset)));
        }
        return new MappedMemory(length, List.copyOf(windows));
    }

    private static String adviceForMmap(Errno errno) {
        return errno.equals(Errno.ENOMEM)
                ? "The kernel does not grant more than memory and swap unless vm.overcommit_memory is 1,"
                        + " and the process may have a limit (ulimit -v). Request less, or raise the limit"
                : "";
    }

    /** Returns the requested length in bytes. */
    public long length() {
        return length;
    }

    /**
     * Returns a view of {@code bytes} bytes from {@code offset}, in native byte order.
     *
     * @throws IndexOutOfBoundsException if the range is not inside the memory
     * @throws IllegalArgumentException if the range crosses a multiple of 1 GiB
     * @throws IllegalStateException if the memory is closed
     */
    public ByteBuffer slice(long offset, int bytes) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            throw new IndexOutOfBoundsException(
                    bytes + " bytes at offset " + offset + " exceed a mapping of " + length + " bytes");
        }
        int inWindow = (int) (offset % WINDOW);
        if (bytes > WINDOW - inWindow) {
            throw new IllegalArgumentException(
                    bytes + " bytes at offset " + offset + " cross a multiple of 1 GiB; take two slices");
        }
        int window = (int) Math.min(offset / WINDOW, windows.size() - 1);
        return windows.get(window).buffer().slice(inWindow, bytes).order(ByteOrder.nativeOrder());
    }

    /** Returns the pages to the kernel. Idempotent. */
    @Override
    public void close() {
        closed = true;
        for (PageRange window : windows) {
            window.retire();
        }
    }

    @Override
    public String toString() {
        return "MappedMemory[" + length + " bytes]";
    }
}
