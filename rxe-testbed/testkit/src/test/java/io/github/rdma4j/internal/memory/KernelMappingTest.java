// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mappings of an ordinary file; a device's behave alike as far as this class goes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelMappingTest {
    private static final int PAGE = 4096;

    /** Bits of an entry of {@code /proc/PID/pagemap}. */
    private static final long PAGE_PRESENT = 1L << 63;

    private static final long PAGE_EXCLUSIVE = 1L << 56;

    private final Kernel kernel = Kernel.running();

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void writeTwoPages() throws Exception {
        file = directory.resolve("ring");
        ByteBuffer pages = ByteBuffer.allocate(2 * PAGE).order(ByteOrder.nativeOrder());
        pages.putInt(0, 1).putInt(PAGE, 2);
        Files.write(file, pages.array());
    }

    @Test
    void mapsTheFileFromItsOffset() throws Exception {
        try (KernelFd fd = KernelFd.open(kernel, file.toString())) {
            KernelMapping mapping = KernelMapping.map(kernel, fd, PAGE, PAGE, "ring");
            assertThat(mapping.buffer().getInt(0)).isEqualTo(2);
            mapping.buffer().putInt(4, 3);
            mapping.retire();
        }
        ByteBuffer stored = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        assertThat(stored.getInt(PAGE + 4)).as("shared with the file").isEqualTo(3);
    }

    @Test
    void readsZerosAndWritesNowhereOnceRetired() throws Exception {
        KernelMapping mapping;
        try (KernelFd fd = KernelFd.open(kernel, file.toString())) {
            mapping = KernelMapping.map(kernel, fd, 0, 2 * PAGE, "ring");
        }
        assertThat(mapping.buffer().getInt(0)).as("outlives the descriptor").isEqualTo(1);
        ByteBuffer slice = mapping.buffer().slice(PAGE, PAGE).order(ByteOrder.nativeOrder());
        mapping.retire();
        mapping.retire();
        assertThat(mapping.buffer().getInt(0)).isZero();
        assertThat(slice.getInt(0)).isZero();
        slice.putInt(0, 99);
        ByteBuffer stored = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        assertThat(stored.getInt(PAGE)).isEqualTo(2);
    }

    @Test
    void givesTheFilesPagesUpAtOnce() throws Exception {
        try (KernelFd fd = KernelFd.open(kernel, file.toString())) {
            KernelMapping mapping = KernelMapping.map(kernel, fd, 0, PAGE, "ring");
            assertThat(Files.readString(Path.of("/proc/self/maps"))).contains(file.toString());
            mapping.retire();
            assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(file.toString());
            assertThat(mapping.buffer().capacity()).isEqualTo(PAGE);
        }
    }

    @Test
    void aReaderAndAWriterThatDoNotStopSurviveTheRetirement() throws Exception {
        try (KernelFd fd = KernelFd.open(kernel, file.toString())) {
            for (int round = 0; round < 300; round++) {
                KernelMapping mapping = KernelMapping.map(kernel, fd, 0, 2 * PAGE, "ring");
                AtomicBoolean stop = new AtomicBoolean();
                Running reader = Running.start(
                        stop, () -> assertThat(mapping.buffer().getInt(0)).isIn(0, 1));
                Running writer = Running.start(stop, () -> mapping.buffer().putInt(PAGE + 8, 5));
                reader.begun().await();
                writer.begun().await();
                mapping.retire();
                assertThat(mapping.buffer().getInt(0)).isZero();
                stop.set(true);
                assertThat(reader.rounds().get() + writer.rounds().get()).isPositive();
            }
        }
    }

    /** An action again and again in a thread of its own. */
    private record Running(CountDownLatch begun, Future<Long> rounds) {
        static Running start(AtomicBoolean stop, Runnable action) {
            CountDownLatch begun = new CountDownLatch(1);
            Future<Long> rounds = Background.start(() -> {
                long count = 0;
                while (!stop.get()) {
                    action.run();
                    count++;
                    begun.countDown();
                }
                return count;
            });
            return new Running(begun, rounds);
        }
    }

    @Test
    void unmapsWhenNoReaderIsLeft() throws Exception {
        readThroughSlice();
        do {
            System.gc();
        } while (mapped());
    }

    /** A method of its own, so that no slot of the caller's frame keeps the slice. */
    private void readThroughSlice() throws Exception {
        try (KernelFd fd = KernelFd.open(kernel, file.toString())) {
            ByteBuffer slice =
                    KernelMapping.map(kernel, fd, 0, PAGE, "ring").buffer().slice();
            System.gc();
            assertThat(mapped()).isTrue();
            assertThat(slice.order(ByteOrder.nativeOrder()).getInt(0)).isEqualTo(1);
        }
    }

    private boolean mapped() throws Exception {
        return Files.readString(Path.of("/proc/self/maps")).contains(file.toString());
    }

    @Test
    void namesTheMemoryThatCouldNotBeMapped() throws Exception {
        try (KernelFd fd =
                KernelFd.adopt(kernel, LinuxKernel.of(kernel).syscalls().eventfd(), "eventfd")) {
            assertThatThrownBy(() -> KernelMapping.map(kernel, fd, 0, PAGE, "completion queue ring"))
                    .isInstanceOfSatisfying(
                            ErrnoException.class,
                            failure -> assertThat(failure.errno()).isEqualTo(Errno.ENODEV))
                    .hasMessageStartingWith("mmap completion queue ring: ENODEV");
        }
    }

    @Test
    void closedDescriptorIsNotMapped() throws Exception {
        KernelFd fd = KernelFd.open(kernel, file.toString());
        fd.close();
        assertThatThrownBy(() -> KernelMapping.map(kernel, fd, 0, PAGE, "ring"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void worksOnAScriptedKernel() throws Exception {
        ScriptedKernel syscalls = new ScriptedKernel()
                .expectMmap(7, 0x3000, PAGE, ring -> ring.putInt(0, 8))
                .expectClose(7);
        try (KernelFd fd = KernelFd.adopt(syscalls.kernel(directory), 7, "uverbs0")) {
            KernelMapping mapping = KernelMapping.map(syscalls.kernel(directory), fd, 0x3000, PAGE, "ring");
            assertThat(mapping.buffer().getInt(0)).isEqualTo(8);
            mapping.retire();
            assertThat(mapping.buffer().getInt(0)).isZero();
        }
        syscalls.assertAllConsumed();
        assertThat(syscalls.liveMappings()).isZero();
    }

    @Test
    void memoryOfTheProcessIsWholePagesOfZeros() throws Exception {
        KernelMapping own = KernelMapping.own(kernel, PAGE + 1, "ring");

        assertThat(own.buffer()).isEqualTo(ByteBuffer.allocate(2 * PAGE));
        assertThat(NativeMemory.address(own.buffer()) % PAGE).isZero();
        assertThat(own.buffer().order()).isEqualTo(ByteOrder.nativeOrder());
    }

    /** Nothing of it is the page of zeros that all processes share: a device would write to that page for all of them. */
    @Test
    void everyPageOfTheProcessIsItsOwn() throws Exception {
        KernelMapping own = KernelMapping.own(kernel, 3 * PAGE, "ring");

        ByteBuffer entries = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel pagemap = FileChannel.open(Path.of("/proc/self/pagemap"))) {
            long at = NativeMemory.address(own.buffer()) / PAGE * Long.BYTES;
            assertThat(pagemap.read(entries, at)).isEqualTo(entries.capacity());
        }
        for (int page = 0; page < 3; page++) {
            long entry = entries.getLong(page * Long.BYTES);
            assertThat(entry & PAGE_PRESENT).as("present").isNotZero();
            assertThat(entry & PAGE_EXCLUSIVE).as("of this process alone").isNotZero();
        }
        own.retire();
    }

    @Test
    void memoryOfTheProcessReadsZerosOnceRetired() throws Exception {
        KernelMapping own = KernelMapping.own(kernel, PAGE, "ring");
        own.buffer().putInt(8, 5);

        own.retire();

        assertThat(own.buffer().getInt(8)).isZero();
        own.buffer().putInt(8, 6);
    }

    @Test
    void namesTheMemoryThatTheProcessCouldNotGet() {
        assertThatThrownBy(() -> KernelMapping.own(kernel, 0, "completion queue ring"))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageStartingWith("mmap of 0 bytes for completion queue ring: EINVAL");
    }
}
