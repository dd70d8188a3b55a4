// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * jnr-ffi 2.2.19 on x86-64 passes its own return address as the sixth argument of a call with exactly six integer
 * arguments and no {@code Pointer} among them (docs/adr/0002). mmap(2) is such a call. snprintf(3) shows what arrives.
 */
class SixIntegerArgumentsTest {
    /** snprintf with three numbers to print: six integers. */
    public interface AllIntegers {
        int snprintf(long buffer, long size, long format, long first, long second, long third);
    }

    /** The same, with a {@code Pointer} in the first place as in our binding of mmap. */
    public interface PointerFirst {
        int snprintf(Pointer buffer, long size, long format, long first, long second, long third);
    }

    private final ByteBuffer text = ByteBuffer.allocateDirect(128);
    private final ByteBuffer format =
            ByteBuffer.allocateDirect(32).put("%ld %ld %ld\0".getBytes(StandardCharsets.US_ASCII));

    @TempDir
    Path directory;

    @Test
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void thePinnedJnrFfiStillHasTheBug() {
        AllIntegers libc = LibraryLoader.create(AllIntegers.class).load("c");
        int length = libc.snprintf(NativeMemory.address(text), 128, NativeMemory.address(format), 1, 2, 3);
        String printed = printed(length);
        assertThat(printed).as("arguments four and five").startsWith("1 2 ");
        assertThat(printed)
                .as("This jnr-ffi passes six integers correctly: good news. The Pointer parameter of Libc.mmap and "
                        + "docs/adr/0002 are needed no longer; remove both and this test.")
                .isNotEqualTo("1 2 3");
    }

    @Test
    void aPointerParameterAvoidsIt() {
        PointerFirst libc = LibraryLoader.create(PointerFirst.class).load("c");
        Pointer buffer = Pointer.wrap(Runtime.getRuntime(libc), NativeMemory.address(text));
        int length = libc.snprintf(buffer, 128, NativeMemory.address(format), 1, 2, 3);
        assertThat(printed(length)).isEqualTo("1 2 3");
    }

    private String printed(int length) {
        byte[] bytes = new byte[length];
        text.get(0, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Test
    void ourMmapMapsFromTheOffsetThatWasAskedFor() throws Exception {
        int page = JnrSyscalls.load().pageSize();
        ByteBuffer pages = ByteBuffer.allocate(3 * page).order(ByteOrder.nativeOrder());
        pages.putLong(2 * page, 0x5eed);
        Path file = Files.write(directory.resolve("pages"), pages.array());
        Syscalls syscalls = JnrSyscalls.load();
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
