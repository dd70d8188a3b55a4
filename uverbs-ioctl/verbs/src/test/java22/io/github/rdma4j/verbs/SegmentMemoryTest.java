// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_REG_MR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which segments can be registered, and what a region knows of the arena behind it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentMemoryTest {
    private static final Set<Access> READABLE = EnumSet.of(Access.REMOTE_READ);
    private static final Set<Access> WRITABLE = EnumSet.of(Access.LOCAL_WRITE);
    private static final long THREE_GIB = 3L << 30;

    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }

    private MemoryRegion register(MemorySegment segment) throws RdmaException {
        return SegmentMemory.registerMr(pd, segment, WRITABLE);
    }

    private void refuses(MemorySegment segment, Class<? extends RuntimeException> type, String message) {
        assertThatThrownBy(() -> register(segment)).isInstanceOf(type).hasMessageContaining(message);
        assertThat(kernel.objects()).containsExactly("pd");
    }

    @Test
    void registersAllBytesOfASegment() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(100).asSlice(7, 50);
            try (MemoryRegion region = register(segment)) {
                assertThat(region.iova()).isEqualTo(segment.address());
                assertThat(region.length()).isEqualTo(50);
            }
        }
    }

    /** The pages of the segment are never touched, so the test takes no memory. */
    @Test
    void registersAndAddsMoreThanABufferCanHave() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = untouched(arena);
            try (MemoryRegion region = register(segment)) {
                assertThat(region.length()).isEqualTo(THREE_GIB);
                SendWorkRequest request = new SendWorkRequest(1).send();
                SegmentMemory.add(request, region, segment.asSlice(THREE_GIB - 9, 9));
                assertThat(request.pieces().address(0)).isEqualTo(segment.address() + THREE_GIB - 9);
                assertThat(request.pieces().length(0)).isEqualTo(9);
                assertThatThrownBy(() -> SegmentMemory.add(new SendWorkRequest(1), region, segment))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("at most 2147483647 bytes");
            }
        }
    }

    private MemorySegment untouched(Arena arena) throws Exception {
        Path file = Files.createFile(directory.resolve("large"));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, THREE_GIB, arena);
        }
    }

    @TempDir
    Path directory;

    @Test
    void refusesTheHeap() {
        refuses(
                MemorySegment.ofArray(new byte[64]),
                IllegalArgumentException.class,
                "allocate the segment from an Arena");
    }

    @Test
    void refusesAnEmptySegment() {
        refuses(Arena.global().allocate(0), IllegalArgumentException.class, "at least 1");
    }

    @Test
    void refusesAClosedArena() {
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(64);
        arena.close();
        refuses(segment, IllegalStateException.class, "the arena of the segment is closed");
    }

    @Test
    void refusesASegmentThatIsConfinedToAnotherThread() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(64);
            Future<Void> other = Background.start(() -> {
                refuses(segment, IllegalStateException.class, "confined to another thread");
                return null;
            });
            other.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void refusesToWriteToAReadOnlySegment() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(64).asReadOnly();
            refuses(segment, IllegalArgumentException.class, "read-only");
            MemoryRegion region = SegmentMemory.registerMr(pd, segment, READABLE);
            assertThatThrownBy(() -> region.changeAccess(WRITABLE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            assertThatThrownBy(() -> SegmentMemory.add(new ReceiveWorkRequest(1), region, segment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot receive into a read-only segment");
            region.close();
        }
    }

    @Test
    void addsPiecesOfTheRegionAlone() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(64);
            MemorySegment registered = all.asSlice(16, 32);
            try (MemoryRegion region = register(registered)) {
                ReceiveWorkRequest request = new ReceiveWorkRequest(2);
                SegmentMemory.add(request, region, registered);
                SegmentMemory.add(request, region, registered.asSlice(32, 0));
                assertThat(request.pieces().address(0)).isEqualTo(registered.address());
                assertThat(request.pieces().total()).isEqualTo(32);
                outside(region, all.asSlice(15, 2));
                outside(region, all.asSlice(47, 2));
                outside(region, all);
                outside(region, MemorySegment.ofArray(new byte[8]));
            }
        }
    }

    private static void outside(MemoryRegion region, MemorySegment piece) {
        assertThatThrownBy(() -> SegmentMemory.add(new SendWorkRequest(1), region, piece))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("is outside");
    }

    @Test
    void postsNothingOverMemoryOfAClosedArena() throws Exception {
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(64);
        MemoryRegion region = register(segment);
        srq.postReceive(SegmentMemory.add(new ReceiveWorkRequest(1), region, segment));
        ReceiveWorkRequest prepared = SegmentMemory.add(new ReceiveWorkRequest(1), region, segment);
        arena.close();
        assertThatThrownBy(() -> srq.postReceive(prepared))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed before the memory region");
        region.close();
    }

    /** The kernel may have pinned pages that were somebody else's by then. */
    @Test
    void registersNothingWhenTheArenaIsClosedMeanwhile() throws Exception {
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(64);
        ModelKernel.Gate gate = kernel.hold(IB_USER_VERBS_CMD_REG_MR);
        Future<MemoryRegion> registering = Background.start(() -> register(segment));
        gate.awaitCall();
        arena.close();
        gate.open();
        assertThatThrownBy(() -> registering.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed before the memory region");
        assertThat(kernel.objects()).containsExactly("pd");
    }

    @Test
    void saysWhatTheKernelRefuses() {
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.ENOMEM);
        MemorySegment segment = Arena.global().allocate(64);
        assertThatThrownBy(() -> register(segment)).hasMessageContaining("RLIMIT_MEMLOCK");
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.EFAULT);
        assertThatThrownBy(() -> register(segment))
                .hasMessageContaining("64 bytes")
                .hasMessageContaining("cannot pin");
        kernel.allow(IB_USER_VERBS_CMD_REG_MR);
    }

    /** A segment that only the garbage collector frees, and a region over it, if any. */
    private WeakReference<MemorySegment> automatic(boolean registered) throws RdmaException {
        MemorySegment segment = Arena.ofAuto().allocate(64);
        if (registered) {
            register(segment);
        }
        return new WeakReference<>(segment);
    }

    @Test
    void keepsMemoryThatTheGarbageCollectorFrees() throws Exception {
        WeakReference<MemorySegment> registered = automatic(true);
        WeakReference<MemorySegment> other = automatic(false);
        while (other.get() != null) {
            System.gc();
        }
        assertThat(registered.get()).isNotNull();
    }
}
