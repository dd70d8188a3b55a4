// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.peer;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.providers.kernel.CardSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that two processes map at the same address. The first half belongs to the other process, the second to the kernel in this
 * one. It stays mapped for as long as this process lives: buffers of rings may reach it until they are garbage.
 */
final class SharedMemory implements CardSettings.SharedPages {
    private static final int HALF = 32 << 20;
    private static final int PAGE = 4096;
    private static final int MAP_FIXED_NOREPLACE = 0x10_0000;

    /** Far from where Linux puts anything by itself. */
    private static final long LOWEST = 0x2100_0000_0000L;

    private static final long HIGHEST = 0x2200_0000_0000L;

    private final long address;
    private int allocated;

    private SharedMemory(long address) {
        this.address = address;
    }

    /** Maps a new file. */
    static SharedMemory create(Path file) throws IOException {
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(0); // a program that runs again finds zeros
            made.setLength(2L * HALF);
        }
        Syscalls syscalls = LinuxKernel.running().syscalls();
        int fd = syscalls.open(file.toString(), Syscalls.O_RDWR | Syscalls.O_CLOEXEC);
        try {
            long mapped = -1;
            for (long wanted = LOWEST; mapped != wanted && wanted < HIGHEST; wanted += 2L * HALF) {
                mapped = syscalls.mmap(
                        wanted,
                        2L * HALF,
                        Syscalls.PROT_READ | Syscalls.PROT_WRITE,
                        Syscalls.MAP_SHARED | MAP_FIXED_NOREPLACE,
                        fd,
                        0);
                if (mapped == wanted) {
                    return new SharedMemory(mapped);
                }
            }
            throw new IOException("mmap of " + file + ": " + mapped);
        } finally {
            syscalls.close(fd);
        }
    }

    long address() {
        return address;
    }

    @Override
    public ByteBuffer foreign() {
        return NativeMemory.view(address, HALF);
    }

    @Override
    public ByteBuffer allocate(int length) {
        int bytes = length + PAGE - 1 & -PAGE;
        if (bytes > HALF - allocated) {
            throw new IllegalStateException("the shared memory of " + HALF + " bytes for mappings is full");
        }
        ByteBuffer pages = NativeMemory.view(address + HALF + allocated, bytes);
        allocated += bytes;
        return pages;
    }
}
