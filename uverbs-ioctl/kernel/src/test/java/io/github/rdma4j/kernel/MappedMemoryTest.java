// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.support.Background;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MappedMemoryTest {
    private static final long GIB = 1L << 30;

    @Test
    void isZeroedAndPageAligned() throws Exception {
        try (MappedMemory memory = MappedMemory.allocate(10_000)) {
            assertThat(memory.length()).isEqualTo(10_000);
            assertThat(NativeMemory.address(memory.slice(0, 1)) % 4096).isZero();
            ByteBuffer all = memory.slice(0, 10_000);
            assertThat(all.order()).isEqualTo(ByteOrder.nativeOrder());
            assertThat(all.mismatch(ByteBuffer.allocate(10_000))).isEqualTo(-1);
            all.putInt(9_996, 42);
            assertThat(memory.slice(9_996, 4).getInt(0)).isEqualTo(42);
            assertThat(NativeMemory.address(all)).isEqualTo(NativeMemory.address(memory.slice(0, 1)));
        }
    }

    @Test
    void reachesBeyondTwoGiB() throws Exception {
        long length = 2 * GIB + 12_345;
        try (MappedMemory memory = MappedMemory.allocate(length)) {
            assertThat(memory.length()).isEqualTo(length);
            memory.slice(length - 8, 8).putLong(0, 7);
            memory.slice(GIB - 8, 8).putLong(0, 8);
            memory.slice(GIB, 8).putLong(0, 9);
            assertThat(memory.slice(2 * GIB, 12_345).getLong(12_337)).isEqualTo(7);
            assertThat(memory.slice(0, (int) GIB).getLong((int) GIB - 8)).isEqualTo(8);
            assertThat(NativeMemory.view(NativeMemory.address(memory.slice(0, 1)) + length - 8, 8)
                            .getLong(0))
                    .isEqualTo(7);
            assertThat(memory.slice(length, 0).capacity()).isZero();
        }
    }

    @Test
    void rejectsSlicesOutside() throws Exception {
        try (MappedMemory memory = MappedMemory.allocate(GIB + 4096)) {
            assertThatThrownBy(() -> memory.slice(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.slice(0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.slice(GIB + 4096, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.slice(Long.MAX_VALUE, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.slice(GIB, Integer.MAX_VALUE))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> memory.slice(GIB - 4, 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("take two slices");
        }
    }

    @Test
    void rejectsInvalidLengths() {
        assertThatThrownBy(() -> MappedMemory.allocate(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MappedMemory.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MappedMemory.allocate(Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MappedMemory.allocate(1L << 60))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("ENOMEM")
                .hasMessageContaining("vm.overcommit_memory");
    }

    @Test
    void useAfterClose() throws Exception {
        MappedMemory memory = MappedMemory.allocate(4096);
        ByteBuffer held = memory.slice(0, 4096);
        held.putInt(0, 42);
        memory.close();
        memory.close();
        assertThat(held.getInt(0)).isZero();
        held.putInt(0, 42);
        assertThatThrownBy(() -> memory.slice(0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("MappedMemory[4096 bytes] is closed");
    }

    @Test
    void aThreadThatStillReadsSeesZeros() throws Exception {
        for (int round = 0; round < 500; round++) {
            MappedMemory memory = MappedMemory.allocate(4096);
            ByteBuffer held = memory.slice(0, 4096);
            held.putLong(2048, 42);
            CountDownLatch reading = new CountDownLatch(1);
            Future<Long> reader = Background.start(() -> readUntilItChanges(held, reading));
            reading.await();
            memory.close();
            assertThat(reader.get()).isZero();
        }
    }

    private static long readUntilItChanges(ByteBuffer memory, CountDownLatch reading) {
        long value;
        do {
            value = memory.getLong(2048);
            reading.countDown();
        } while (value == 42);
        return value;
    }
}
