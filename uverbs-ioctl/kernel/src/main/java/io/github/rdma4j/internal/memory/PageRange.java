// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static io.github.rdma4j.internal.libc.Syscalls.MAP_ANONYMOUS;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_FIXED;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_NORESERVE;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_PRIVATE;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_READ;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_WRITE;

import io.github.rdma4j.internal.libc.Syscalls;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A mapped range of addresses behind one direct buffer, unmapped when the buffer and all its slices are garbage
 * collected: a slice keeps its root buffer reachable, so the cleaner is registered on the root. Retired ranges are
 * unmapped in batches.
 */
public final class PageRange {
    private static final Cleaner CLEANER = Cleaner.create();

    /** Cleaner thread only. */
    private static final UnusedRanges UNUSED = new UnusedRanges();

    private final Syscalls syscalls;
    private final long address;
    private final int length;
    private final ByteBuffer buffer;
    private final AtomicBoolean retired;

    private PageRange(Syscalls syscalls, long address, int length) {
        this.syscalls = syscalls;
        this.address = address;
        this.length = length;
        this.buffer = NativeMemory.view(address, length);
        AtomicBoolean zeros = new AtomicBoolean();
        this.retired = zeros;
        CLEANER.register(buffer, () -> unused(syscalls, address, length, zeros.get()));
    }

    private static void unused(Syscalls syscalls, long address, int length, boolean retired) {
        if (retired) {
            UNUSED.add(syscalls, address, length);
        } else {
            syscalls.munmap(address, length);
        }
    }

    /** Takes over a new mapping of the caller. */
    public static PageRange adopt(Syscalls syscalls, long address, int length) {
        return new PageRange(syscalls, address, length);
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    long address() {
        return address;
    }

    /**
     * Replaces the pages by zero pages that nothing backs.
     *
     * <p>This fails only under strict overcommit accounting (vm.overcommit_memory is 2) when no memory is left. The
     * kernel may then already have removed the old pages, and another mapping could take their addresses. The second
     * attempt therefore maps pages that are not writable and not counted.
     */
    public void retire() {
        if (!retired.compareAndSet(false, true)) {
            return;
        }
        int flags = MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE;
        try {
            if (syscalls.mmap(address, length, PROT_READ | PROT_WRITE, flags, -1, 0) < 0) {
                syscalls.mmap(address, length, PROT_READ, flags, -1, 0);
            }
        } finally {
            // Keeps the cleaner from freeing the addresses under our MAP_FIXED.
            Reference.reachabilityFence(buffer);
        }
    }
}
