// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import static io.github.rdma4j.internal.syscall.Syscalls.MAP_ANONYMOUS;
import static io.github.rdma4j.internal.syscall.Syscalls.MAP_PRIVATE;
import static io.github.rdma4j.internal.syscall.Syscalls.PROT_READ;
import static io.github.rdma4j.internal.syscall.Syscalls.PROT_WRITE;

import io.github.rdma4j.internal.memory.PageRange;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Page-aligned anonymous memory of any length, to be registered as a memory region where 2 GiB of a {@link ByteBuffer}
 * are not enough or page alignment matters.
 *
 * <p>The bytes are reached through {@link #slice}. {@link #close()} gives the pages back to the kernel at once; a slice
 * that is still held reads zeros from then on, and the address range itself goes back when the last slice is garbage.
 * A memory region that was registered over the memory keeps its own pin on the pages: deregister it first.
 * Safe for use by several threads, apart from the contents.
 */
public final class MappedMemory implements AutoCloseable {
    /** How much one underlying buffer covers; slices do not cross it. */
    static final int WINDOW = 1 << 30;

    private final long length;
    private final List<PageRange> windows;
    private volatile boolean closed;

    private MappedMemory(long length, List<PageRange> windows) {
        this.length = length;
        this.windows = windows;
    }

    /** Maps {@code length} zeroed bytes, rounded up to whole pages; pages are backed when first touched or pinned. */
    public static MappedMemory allocate(long length) throws ErrnoException {
        return allocate(Kernel.running(), length);
    }

    static MappedMemory allocate(Kernel kernel, long length) throws ErrnoException {
        Syscalls syscalls = LinuxKernel.of(kernel).syscalls();
        long page = syscalls.pageSize();
        if (length <= 0 || length > Long.MAX_VALUE - page) {
            throw new IllegalArgumentException("a mapping of " + length + " bytes; a mapping has at least 1");
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
                ? "The machine does not promise that much: it counts its memory and swap unless vm.overcommit_memory is 1,"
                        + " and the process may be limited (ulimit -v). Ask for less, or raise the limit"
                : "";
    }

    /** Bytes, as asked for. */
    public long length() {
        return length;
    }

    /**
     * A view of {@code bytes} bytes from {@code offset}, in native byte order.
     *
     * @throws IndexOutOfBoundsException when the range is not inside the memory
     * @throws IllegalArgumentException when it crosses a multiple of 1 GiB
     */
    public ByteBuffer slice(long offset, int bytes) {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            throw new IndexOutOfBoundsException(
                    bytes + " bytes at " + offset + " are outside a mapping of " + length + " bytes");
        }
        int inWindow = (int) (offset % WINDOW);
        if (bytes > WINDOW - inWindow) {
            throw new IllegalArgumentException(
                    bytes + " bytes at " + offset + " cross a multiple of 1 GiB; take two slices");
        }
        int window = (int) Math.min(offset / WINDOW, windows.size() - 1);
        return windows.get(window).buffer().slice(inWindow, bytes).order(ByteOrder.nativeOrder());
    }

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
