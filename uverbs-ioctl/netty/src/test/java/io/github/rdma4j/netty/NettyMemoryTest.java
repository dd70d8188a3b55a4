// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_REG_MR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which buffers of Netty can be registered, and for how long a region holds them. */
class NettyMemoryTest {
    private static final Set<Access> READABLE = EnumSet.of(Access.REMOTE_READ);

    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext context;
    private ProtectionDomain pd;
    private SharedReceiveQueue srq;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
        srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }

    private static ByteBuf fixed(int bytes) {
        return new UnpooledByteBufAllocator(true, true).directBuffer(bytes, bytes);
    }

    private MemoryRegion register(ByteBuf buffer) throws RdmaException {
        return NettyMemory.registerMr(pd, buffer, READABLE);
    }

    /** Refuses a region whose memory has gone. */
    private void post(MemoryRegion region) throws RdmaException {
        srq.postReceive(new ReceiveWorkRequest(1).add(region, 0, 1));
    }

    static Stream<ByteBufAllocator> allocators() {
        return Stream.of(
                new UnpooledByteBufAllocator(true),
                new PooledByteBufAllocator(true),
                new AdaptiveByteBufAllocator(true));
    }

    /** Buffers that have their memory from another. */
    private enum View {
        ITSELF,
        SLICE,
        SLICE_OF_SLICE,
        DUPLICATE,
        SLICE_OF_DUPLICATE,
        READ_ONLY,
        UNRELEASABLE;

        ByteBuf of(ByteBuf buffer) {
            return switch (this) {
                case ITSELF -> buffer;
                case SLICE -> buffer.slice(8, 16);
                case SLICE_OF_SLICE -> buffer.slice(8, 32).slice(8, 16);
                case DUPLICATE -> buffer.duplicate();
                case SLICE_OF_DUPLICATE -> buffer.duplicate().slice(8, 16);
                case READ_ONLY -> buffer.asReadOnly();
                case UNRELEASABLE -> Unpooled.unreleasableBuffer(buffer);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesBuffersThatCanGrow(View view) {
        allocators().forEach(allocator -> {
            ByteBuf growing = allocator.directBuffer(64).writeZero(64);
            assertThatThrownBy(() -> register(view.of(growing)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("grow from 64 to")
                    .hasMessageContaining("directBuffer(n, n)");
            assertThat(growing.refCnt()).isEqualTo(1);
            growing.release();
        });
    }

    @ParameterizedTest
    @EnumSource
    void holdsWhateverCannotGrowUntilTheRegionIsClosed(View view) {
        allocators().forEach(allocator -> {
            ByteBuf buffer = allocator.directBuffer(64, 64).writeZero(64);
            ByteBuf seen = view.of(buffer);
            try (MemoryRegion region = register(seen)) {
                assertThat(region.iova()).isEqualTo(seen.memoryAddress());
                assertThat(region.length()).isEqualTo(seen.capacity());
                assertThat(buffer.release()).isFalse();
                assertThat(buffer.refCnt()).isPositive();
                post(region);
            } catch (RdmaException e) {
                throw new AssertionError(e);
            }
            assertThat(buffer.refCnt()).isZero();
        });
    }

    @Test
    void holdsASliceThatHasACountOfItsOwn() throws Exception {
        ByteBuf buffer = new PooledByteBufAllocator(true).directBuffer(64, 64).writeZero(64);
        ByteBuf slice = buffer.retainedSlice(8, 16);
        MemoryRegion region = register(slice);
        slice.release();
        buffer.release();
        post(region);
        region.close();
        assertThat(buffer.refCnt()).isZero();
        assertThat(slice.refCnt()).isZero();
    }

    @Test
    void looksThroughLeakDetectors() throws Exception {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        try {
            ByteBuf growing = new UnpooledByteBufAllocator(true).directBuffer(64);
            assertThat(growing.unwrap()).isNotNull();
            assertThatThrownBy(() -> register(growing)).hasMessageContaining("grow");
            growing.release();
            ByteBuf buffer = new UnpooledByteBufAllocator(true).directBuffer(64, 64);
            MemoryRegion region = register(buffer);
            buffer.release();
            region.close();
            assertThat(buffer.refCnt()).isZero();
        } finally {
            ResourceLeakDetector.setLevel(before);
        }
    }

    static Stream<ByteBuf> unusable() {
        CompositeByteBuf one = Unpooled.compositeBuffer().addComponent(true, fixed(8).writeZero(8));
        return Stream.of(
                one,
                Unpooled.compositeBuffer()
                        .addComponent(true, fixed(8).writeZero(8))
                        .slice(0, 8),
                Unpooled.wrappedBuffer(fixed(8).writeZero(8), fixed(8).writeZero(8)),
                Unpooled.wrappedUnmodifiableBuffer(fixed(8).writeZero(8), fixed(8).writeZero(8)),
                Unpooled.buffer(8, 8),
                Unpooled.EMPTY_BUFFER,
                fixed(0),
                fixed(8).slice(4, 0));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void refusesBuffersThatAreNotOneDirectPiece(ByteBuf buffer) {
        int count = buffer.refCnt();
        assertThatThrownBy(() -> register(buffer)).isInstanceOf(IllegalArgumentException.class);
        assertThat(buffer.refCnt()).isEqualTo(count);
        buffer.release();
    }

    @Test
    void registersTheComponentsOfACompositeBuffer() throws Exception {
        CompositeByteBuf composite = Unpooled.compositeBuffer().addComponent(true, fixed(8).writeZero(8));
        MemoryRegion region = register(composite.component(0));
        composite.release();
        post(region);
        region.close();
    }

    @Test
    void refusesABufferThatWasReleased() {
        ByteBuf buffer = fixed(64);
        buffer.release();
        assertThatThrownBy(() -> register(buffer)).isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void refusesToWriteAReadOnlyBuffer() {
        ByteBuf buffer = fixed(64);
        assertThatThrownBy(() -> NettyMemory.registerMr(pd, buffer.asReadOnly(), EnumSet.of(Access.LOCAL_WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
        buffer.release();
    }

    @Test
    void givesABufferBackThatCannotBeRegistered() {
        ByteBuf buffer = fixed(64);
        for (Access remote : List.of(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) {
            assertThatThrownBy(() -> NettyMemory.registerMr(pd, buffer, EnumSet.of(remote)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("LOCAL_WRITE");
        }
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.ENOMEM);
        assertThatThrownBy(() -> register(buffer)).hasMessageContaining("RLIMIT_MEMLOCK");
        kernel.allow(IB_USER_VERBS_CMD_REG_MR);
        assertThat(buffer.refCnt()).isEqualTo(1);
        ProtectionDomain closed = pd;
        assertThatThrownBy(() -> {
                    closed.close();
                    register(buffer);
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThat(buffer.refCnt()).isEqualTo(1);
        buffer.release();
    }

    private static ReceiveWorkRequest into(MemoryRegion region) {
        return new ReceiveWorkRequest(1).add(region, 0, 8);
    }

    @Test
    void postsNothingOverABufferThatWasMoved() throws Exception {
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        ByteBuf buffer = fixed(64);
        MemoryRegion region = register(buffer);
        srq.postReceive(into(region));
        buffer.capacity(32);
        assertThatThrownBy(() -> srq.postReceive(into(region)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("moved");
        buffer.release();
    }

    @Test
    void postsNothingOverABufferThatWasReleasedTooOften() throws Exception {
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        ByteBuf buffer = fixed(64);
        MemoryRegion region = register(buffer);
        buffer.release(2);
        assertThatThrownBy(() -> srq.postReceive(into(region)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released");
        assertThatThrownBy(region::close).isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void closesAllThoughABufferWasReleasedTooOften() throws Exception {
        ByteBuf good = fixed(64);
        ByteBuf bad = fixed(64);
        register(good);
        MemoryRegion region = register(bad);
        CompletionQueue cq = context.createCq(2);
        bad.release(2);
        assertThatThrownBy(context::close).isInstanceOf(IllegalReferenceCountException.class);
        kernel.assertClean();
        assertThat(region.isClosed()).isTrue();
        assertThat(cq.isClosed()).isTrue();
        assertThat(good.refCnt()).isEqualTo(1);
        good.release();
    }

    /** A wrapped buffer, and the memory that only the garbage collector frees. */
    private record Wrapped(ByteBuf buffer, WeakReference<ByteBuffer> memory) {
        static Wrapped make() {
            ByteBuffer memory = ByteBuffer.allocateDirect(64);
            return new Wrapped(Unpooled.wrappedBuffer(memory), new WeakReference<>(memory));
        }
    }

    @Test
    void keepsTheMemoryOfAWrappedBufferWhateverIsDoneToTheBuffer() throws Exception {
        Wrapped registered = Wrapped.make();
        Wrapped other = Wrapped.make();
        MemoryRegion region = register(registered.buffer());
        registered.buffer().capacity(8);
        other.buffer().capacity(8);
        while (other.memory().get() != null) {
            System.gc();
        }
        assertThat(registered.memory().get()).isNotNull();
        region.close();
        registered.buffer().release();
        other.buffer().release();
    }
}
