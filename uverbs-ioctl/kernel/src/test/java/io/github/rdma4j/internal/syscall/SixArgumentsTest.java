// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call with six arguments. mmap(2) is such a call. */
class SixArgumentsTest {
    @TempDir
    Path directory;

    /** snprintf(3) with three numbers to print shows what arrives. */
    @Test
    void allSixArrive() {
        ByteBuffer text = ByteBuffer.allocateDirect(128);
        ByteBuffer format = ByteBuffer.allocateDirect(32).put("%ld %d %ld\0".getBytes(StandardCharsets.US_ASCII));
        Libc libc = new Libc(Libc.DEFAULT);
        long snprintf = libc.function("snprintf");

        long length = libc.call(
                snprintf, NativeMemory.address(text), 128, NativeMemory.address(format), 1, -2, Long.MIN_VALUE);

        byte[] bytes = new byte[(int) length];
        text.get(0, bytes);
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo("1 -2 -9223372036854775808");
    }

    @Test
    void mmapMapsFromTheOffsetThatWasAskedFor() throws Exception {
        Syscalls syscalls = JnrSyscalls.load();
        int page = syscalls.pageSize();
        ByteBuffer pages = ByteBuffer.allocate(3 * page).order(ByteOrder.nativeOrder());
        pages.putLong(2 * page, 0x5eed);
        Path file = Files.write(directory.resolve("pages"), pages.array());
        int fd = syscalls.open(file.toString(), Syscalls.O_RDWR);
        long address = syscalls.mmap(0, page, Syscalls.PROT_READ, Syscalls.MAP_SHARED, fd, 2L * page);
        assertThat(address).isPositive();
        assertThat(NativeMemory.view(address, page).getLong(0)).isEqualTo(0x5eed);
        assertThat(syscalls.munmap(address, page)).isZero();
        assertThat(syscalls.mmap(0, page, Syscalls.PROT_READ, Syscalls.MAP_SHARED, fd, 100))
                .as("an offset inside a page")
                .isEqualTo(-22);
        syscalls.close(fd);
    }
}
