// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static io.github.rdma4j.internal.libc.Syscalls.MAP_ANONYMOUS;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_FIXED;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_PRIVATE;
import static io.github.rdma4j.internal.libc.Syscalls.MAP_SHARED;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_READ;
import static io.github.rdma4j.internal.libc.Syscalls.PROT_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.Kernel;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The memory of a guest. User Mode Linux went on using the pages of a page table that was freed and made anew in one system
 * call: those of a page that was mapped there before, and belonged to another process by now (page-tables.patch).
 */
@RequiresKernel
class PageTablesKernelIT {
    /** What one page table maps. */
    private static final long TABLE = 2 << 20;

    private static final int PAGE = 4096;
    private static final int MAP_POPULATE = 0x8000;
    private static final byte OLD = 0x55;

    private final Syscalls syscalls = LinuxKernel.of(Kernel.running()).syscalls();

    private long map(long address, long bytes, int flags, int fd) {
        long mapped = syscalls.mmap(address, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
        assertThat(mapped).isPositive();
        return mapped;
    }

    @Test
    void whatIsMappedInPlaceOfMemoryIsNotThatMemory() throws Exception {
        Path onePage = Path.of("/dev/shm/one-page");
        Files.write(onePage, new byte[PAGE], StandardOpenOption.CREATE);
        int fd = syscalls.open(onePage.toString(), Syscalls.O_RDWR);
        assertThat(fd).isPositive();
        long free = map(0, 2 * TABLE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        long table = (free + TABLE - 1) / TABLE * TABLE;
        ByteBuffer old = NativeMemory.view(table, (int) TABLE);
        while (old.hasRemaining()) {
            old.put(OLD);
        }

        map(
                table,
                TABLE,
                MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                fd); // frees the table, and makes another for the one page
        map(table + PAGE, TABLE - PAGE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);

        ByteBuffer now = NativeMemory.view(table, (int) TABLE);
        assertThat(IntStream.range(0, now.capacity()).filter(i -> now.get(i) != 0))
                .isEmpty();
        assertThat(syscalls.munmap(free, 2 * TABLE)).isZero();
        assertThat(syscalls.close(fd)).isZero();
        Files.delete(onePage);
    }
}
