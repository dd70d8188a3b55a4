// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.support.NotEmulated;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every call once against the running kernel, with its result and with its error number. */
class JnrSyscallsTest {
    private static final int ENOENT = -2;
    private static final int EBADF = -9;
    private static final int EAGAIN = -11;
    private static final int EINVAL = -22;
    private static final int ENOTTY = -25;
    private static final int NO_SUCH_FD = 1_000_000;

    private final Syscalls syscalls = JnrSyscalls.load();
    private final CommandArena arena = CommandArena.open();

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void opensReadsAndWritesAFile() throws Exception {
        Path file = Files.writeString(directory.resolve("bytes"), "abcd");
        int fd = syscalls.open(file.toString(), Syscalls.O_RDWR | Syscalls.O_CLOEXEC);
        assertThat(fd).isNotNegative();
        int at = arena.allocate(4);
        assertThat(syscalls.read(fd, arena.address(at), 2)).isEqualTo(2);
        assertThat(arena.buffer().get(at + 1)).isEqualTo((byte) 'b');
        assertThat(syscalls.ring(fd, arena.address(at), 1)).isEqualTo(1);
        assertThat(syscalls.write(fd, arena.address(at + 1), 1)).isEqualTo(1);
        assertThat(syscalls.close(fd)).isZero();
        assertThat(file).hasContent("abab");
    }

    @Test
    @NotEmulated
    void returnsMinusTheErrorNumber() {
        long address = arena.address(arena.allocate(8));
        assertThat(syscalls.open(directory.resolve("missing").toString(), Syscalls.O_RDWR))
                .isEqualTo(ENOENT);
        assertThat(syscalls.close(NO_SUCH_FD)).isEqualTo(EBADF);
        assertThat(syscalls.read(NO_SUCH_FD, address, 1)).isEqualTo(EBADF);
        assertThat(syscalls.write(NO_SUCH_FD, address, 1)).isEqualTo(EBADF);
        assertThat(syscalls.ring(NO_SUCH_FD, address, 1)).isEqualTo(EBADF);
        assertThat(syscalls.ioctl(NO_SUCH_FD, 0xc0181b01L, address)).isEqualTo(EBADF);
        assertThat(syscalls.setNonBlocking(NO_SUCH_FD)).isEqualTo(EBADF);
        assertThat(syscalls.eventfdSignal(NO_SUCH_FD)).isEqualTo(EBADF);
        assertThat(syscalls.eventfdDrain(NO_SUCH_FD)).isEqualTo(EBADF);
        assertThat(syscalls.characterDevice(NO_SUCH_FD)).isEqualTo(EBADF);
        assertThat(syscalls.munmap(1, 1)).isEqualTo(EINVAL);
        assertThat(syscalls.socket(-1, 0, 0)).isEqualTo(-97);
    }

    @Test
    @NotEmulated
    void refusesTheVerbsIoctlOnAnotherDevice() {
        int fd = syscalls.open("/dev/null", Syscalls.O_RDWR);
        assertThat(syscalls.ioctl(fd, 0xc0181b01L, arena.address(arena.allocate(24))))
                .isEqualTo(ENOTTY);
        syscalls.close(fd);
    }

    @Test
    void tellsTheNumberOfACharacterDevice() throws Exception {
        int device = syscalls.open("/dev/null", Syscalls.O_RDWR);
        assertThat(syscalls.characterDevice(device)).isEqualTo(1 << 8 | 3);
        syscalls.close(device);
        int file = syscalls.open(Files.createFile(directory.resolve("file")).toString(), Syscalls.O_RDWR);
        assertThat(syscalls.characterDevice(file)).isZero();
        syscalls.close(file);
    }

    @Test
    void eventfdsSignalAndDrain() {
        int fd = syscalls.eventfd();
        assertThat(syscalls.eventfdDrain(fd)).isEqualTo(EAGAIN);
        int[] pollfds = {fd, Syscalls.POLLIN};
        assertThat(syscalls.poll(pollfds, 0)).isZero();
        assertThat(syscalls.eventfdSignal(fd)).isZero();
        assertThat(syscalls.poll(pollfds, -1)).isEqualTo(1);
        assertThat(pollfds[1] >>> 16).isEqualTo(Syscalls.POLLIN);
        assertThat(syscalls.eventfdDrain(fd)).isZero();
        assertThat(syscalls.eventfdDrain(fd)).isEqualTo(EAGAIN);
        syscalls.close(fd);
    }

    @Test
    void nonBlockingReadsSayEagain() {
        int fd = syscalls.socket(Syscalls.AF_NETLINK, Syscalls.SOCK_RAW, 0);
        assertThat(fd).isNotNegative();
        assertThat(syscalls.setNonBlocking(fd)).isZero();
        assertThat(syscalls.read(fd, arena.address(arena.allocate(64)), 64)).isEqualTo(EAGAIN);
        assertThat(closesOnExec(fd)).isTrue();
        syscalls.close(fd);
    }

    @Test
    void everyDescriptorClosesOnExec() {
        int event = syscalls.eventfd();
        assertThat(closesOnExec(event)).isTrue();
        syscalls.close(event);
    }

    private static boolean closesOnExec(int fd) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/fdinfo/" + fd))) {
            String flags = lines.filter(line -> line.startsWith("flags:"))
                    .map(line -> line.substring(6).trim())
                    .findFirst()
                    .orElseThrow();
            return (Integer.parseInt(flags, 8) & Syscalls.O_CLOEXEC) != 0;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void mapsAndUnmapsAnonymousMemory() {
        int flags = Syscalls.MAP_PRIVATE | Syscalls.MAP_ANONYMOUS | Syscalls.MAP_NORESERVE;
        long address = syscalls.mmap(0, 3L << 30, Syscalls.PROT_READ | Syscalls.PROT_WRITE, flags, -1, 0);
        assertThat(address % syscalls.pageSize()).isZero();
        assertThat(address).isPositive();
        assertThat(syscalls.munmap(address, 3L << 30)).isZero();
        assertThat(syscalls.mmap(0, 0, Syscalls.PROT_READ, flags, -1, 0)).isEqualTo(EINVAL);
    }

    @Test
    void knowsThePageSizeAndTheMemlockLimit() throws Exception {
        assertThat(syscalls.pageSize()).isIn(4096, 16384, 65536);
        String soft;
        try (Stream<String> limits = Files.lines(Path.of("/proc/self/limits"))) {
            soft = limits.filter(line -> line.startsWith("Max locked memory"))
                    .map(line ->
                            line.substring("Max locked memory".length()).trim().split(" ", 2)[0])
                    .findFirst()
                    .orElseThrow();
        }
        long expected = soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
        assertThat(syscalls.lockedMemoryLimit()).isEqualTo(expected);
    }
}
