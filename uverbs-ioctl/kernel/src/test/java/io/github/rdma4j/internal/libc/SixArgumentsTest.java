// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.provider.jffi.NoX86;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A call with six arguments, of which mmap(2) is one. On x86-64 JNR-FFI 2.2.19 compiles machine code for functions of integers
 * that passes its own return address as the sixth argument: {@link NoX86} keeps it from that.
 */
class SixArgumentsTest {
    @TempDir
    Path directory;

    /** snprintf(3) with three numbers to print shows what arrives. */
    public interface Compiled {
        int snprintf(long text, long size, long format, long first, int second, long third);
    }

    @NoX86
    public interface Called {
        int snprintf(long text, long size, long format, long first, int second, long third);
    }

    @Test
    void allSixArrive() {
        assertThat(print(Binding.of(Called.class)::snprintf)).isEqualTo("1 -2 -9223372036854775808");
    }

    /** When this fails, JNR-FFI has been mended. Whether NoX86 is still worth its place is then a question of time only. */
    @Test
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void theSixthDoesNotArriveFromMachineCodeOfJnrFfi() {
        assertThat(print(Binding.of(Compiled.class)::snprintf))
                .startsWith("1 -2 ")
                .isNotEqualTo("1 -2 -9223372036854775808");
    }

    private interface Snprintf {
        int print(long text, long size, long format, long first, int second, long third);
    }

    private static String print(Snprintf snprintf) {
        ByteBuffer text = ByteBuffer.allocateDirect(128);
        ByteBuffer format = ByteBuffer.allocateDirect(32).put("%ld %d %ld\0".getBytes(StandardCharsets.US_ASCII));
        try {
            byte[] bytes = new byte
                    [snprintf.print(
                            NativeMemory.address(text), 128, NativeMemory.address(format), 1, -2, Long.MIN_VALUE)];
            text.get(0, bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        } finally {
            Reference.reachabilityFence(format);
        }
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
