// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_REG_MR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Buffers of registered memory: where they lie, when their memory comes and goes, and who holds them. */
class RegisteredByteBufAllocatorTest {
    private static final int CHUNK = 16_384;

    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext context;
    private ProtectionDomain pd;
    private RegisteredByteBufAllocator alloc;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
        alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE), CHUNK, 4 * CHUNK);
    }

    @AfterEach
    void close() throws RdmaException {
        alloc.close();
        context.close();
        kernel.assertClean();
    }

    private long regions() {
        return kernel.objects().stream().filter("mr"::equals).count();
    }

    private long registered() {
        return alloc.metric().usedDirectMemory();
    }

    private static void release(List<ByteBuf> buffers) {
        buffers.forEach(ByteBuf::release);
        buffers.clear();
    }

    // ---- memory

    @Test
    void registersAChunkForManyBuffers() {
        List<ByteBuf> buffers = new ArrayList<>();
        for (int i = 0; i < CHUNK / 256; i++) {
            buffers.add(alloc.directBuffer(200));
        }
        assertThat(regions()).isEqualTo(1);
        assertThat(buffers.stream().map(ByteBuf::memoryAddress).distinct()).hasSize(CHUNK / 256);
        assertThat(buffers).allMatch(buffer -> buffer.memoryAddress() % 256 == 0 && buffer.capacity() == 200);
        buffers.add(alloc.directBuffer(1));
        assertThat(regions()).isEqualTo(2);
        assertThat(registered()).isEqualTo(2 * CHUNK);
        release(buffers);
        assertThat(regions()).as("one is kept").isEqualTo(1);
        alloc.close();
        assertThat(regions()).isZero();
        assertThat(registered()).isZero();
    }

    @Test
    void joinsWhatWasReleased() {
        Random random = new Random(NewSeed.of("RegisteredByteBufAllocatorTest, blocks"));
        List<ByteBuf> buffers = new ArrayList<>();
        for (int round = 0; round < 2000; round++) {
            if (random.nextBoolean() && buffers.size() < 8) {
                ByteBuf buffer = alloc.directBuffer(1 + random.nextInt(2000));
                buffers.forEach(other -> assertThat(apart(buffer, other)).isTrue());
                buffers.add(buffer);
            } else if (!buffers.isEmpty()) {
                buffers.remove(random.nextInt(buffers.size())).release();
            }
        }
        release(buffers);
        ByteBuf all = alloc.directBuffer(CHUNK);
        assertThat(regions()).isEqualTo(1);
        all.release();
    }

    private static boolean apart(ByteBuf one, ByteBuf other) {
        return one.memoryAddress() + one.capacity() <= other.memoryAddress()
                || other.memoryAddress() + other.capacity() <= one.memoryAddress();
    }

    @Test
    void givesLargeBuffersAChunkOfTheirOwn() {
        ByteBuf large = alloc.directBuffer(CHUNK + 1);
        assertThat(registered()).isEqualTo(CHUNK + 4096);
        ByteBuf small = alloc.directBuffer(1);
        assertThat(regions()).isEqualTo(2);
        large.release();
        assertThat(registered()).isEqualTo(CHUNK);
        small.release();
        assertThatThrownBy(() -> alloc.directBuffer((1 << 30) + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 GiB");
    }

    @Test
    void respectsItsLimit() {
        ByteBuf most = alloc.directBuffer(3 * CHUNK);
        ByteBuf last = alloc.directBuffer(CHUNK);
        assertThatThrownBy(() -> alloc.directBuffer(1))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("limit, " + 4 * CHUNK);
        last.release();
        alloc.directBuffer(1).release();
        most.release();
    }

    @Test
    void saysWhatToDoWhenNoMoreMemoryMayBePinned() {
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.ENOMEM);
        assertThatThrownBy(() -> alloc.directBuffer(1))
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(ErrnoException.class)
                .hasMessageContaining("RLIMIT_MEMLOCK")
                .hasMessageContaining("ulimit -l");
        assertThat(registered()).isZero();
        kernel.allow(IB_USER_VERBS_CMD_REG_MR);
        alloc.directBuffer(1).release();
    }

    @Test
    void keepsTheMemoryOfBuffersThatAreOut() {
        ByteBuf first = alloc.directBuffer(64).writeLong(1);
        ByteBuf second = alloc.directBuffer(64).writeLong(2);
        alloc.close();
        alloc.close();
        assertThat(regions()).isEqualTo(1);
        assertThatThrownBy(() -> alloc.directBuffer(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> first.writeZero(CHUNK)).isInstanceOf(IllegalStateException.class);
        assertThat(first.getLong(0)).isEqualTo(1);
        first.release();
        assertThat(regions()).isEqualTo(1);
        assertThat(second.getLong(0)).isEqualTo(2);
        second.release();
        assertThat(regions()).isZero();
        assertThatThrownBy(() -> second.getLong(0)).isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void outlivesItsProtectionDomain() throws Exception {
        ByteBuf buffer = alloc.directBuffer(64).writeLong(7);
        pd.close();
        assertThat(buffer.getLong(0)).isEqualTo(7);
        assertThatThrownBy(() -> alloc.directBuffer(64))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ProtectionDomain")
                .hasMessageContaining("is closed");
        buffer.release();
        assertThat(registered()).isZero();
    }

    @Test
    void refusesImpossibleSizes() {
        for (int chunk : new int[] {0, 2048, 5000, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> RegisteredByteBufAllocator.open(pd, EnumSet.noneOf(Access.class), chunk, 1 << 20))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("power of two");
        }
        assertThatThrownBy(() -> RegisteredByteBufAllocator.open(pd, EnumSet.noneOf(Access.class), 4096, 4095))
                .hasMessageContaining("at least");
        assertThatThrownBy(() -> RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.REMOTE_WRITE)))
                .hasMessageContaining("LOCAL_WRITE");
    }

    @Test
    void servesManyThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        long seed = NewSeed.of("RegisteredByteBufAllocatorTest, threads");
        Callable<Integer> work = () -> {
            Random random = new Random(seed);
            int wrong = 0;
            for (int round = 0; round < 1000; round++) {
                ByteBuf one = alloc.directBuffer(8 + random.nextInt(3000));
                long mark = Thread.currentThread().getId() * 10_000 + round;
                one.setLong(0, mark);
                ByteBuf two = alloc.directBuffer(8).setLong(0, ~mark);
                one.capacity(one.capacity() + random.nextInt(3000));
                wrong += one.getLong(0) == mark && two.getLong(0) == ~mark ? 0 : 1;
                one.release();
                two.release();
            }
            return wrong;
        };
        for (Future<Integer> done : threads.invokeAll(List.of(work, work, work, work))) {
            assertThat(done.get()).isZero();
        }
        threads.shutdown();
        assertThat(regions()).isEqualTo(1);
    }

    // ---- a buffer like others

    @ParameterizedTest
    @Seeds
    void readsAndWritesAsOtherBuffersDo(long seed) throws Exception {
        ByteBuf ours = alloc.directBuffer(64, 4096).setZero(0, 64);
        ByteBuf theirs = Unpooled.directBuffer(64, 4096).setZero(0, 64);
        BufferOperations operations = new BufferOperations(seed);
        for (int i = 0; i < 2000; i++) {
            operations.applyNext(ours, theirs);
            assertThat(ours).isEqualTo(theirs);
        }
        assertThat(ours.slice(0, ours.capacity())).isEqualTo(theirs.slice(0, theirs.capacity()));
        ours.release();
        theirs.release();
    }

    @Test
    void growsInItsBlockThenMoves() {
        ByteBuf buffer = alloc.directBuffer(100).writeLong(5);
        long address = buffer.memoryAddress();
        buffer.capacity(256);
        assertThat(buffer.memoryAddress()).isEqualTo(address);
        buffer.capacity(257);
        assertThat(buffer.memoryAddress()).isNotEqualTo(address);
        assertThat(buffer.getLong(0)).isEqualTo(5);
        buffer.capacity(4);
        assertThat(buffer.writerIndex()).isEqualTo(4);
        buffer.release();
        assertThat(alloc.directBuffer(CHUNK).release()).isTrue();
        assertThat(regions()).isEqualTo(1);
    }

    @Test
    void saysThatItIsPooled() {
        assertThat(alloc.isDirectBufferPooled()).isTrue();
        assertThat(alloc.metric().usedHeapMemory()).isEqualTo(-1);
        ByteBuf heap = alloc.heapBuffer(8);
        assertThat(heap.hasArray()).isTrue();
        assertThat(heap.alloc()).isSameAs(alloc);
        heap.release();
    }
}
