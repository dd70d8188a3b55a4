// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.RequestHolds;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Work requests with buffers of a {@link RegisteredByteBufAllocator}: what the device is told, and who holds the buffers. */
class RegisteredBufferRequestsTest {
    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext context;
    private ProtectionDomain pd;
    private RegisteredByteBufAllocator alloc;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
        alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
    }

    @AfterEach
    void close() throws RdmaException {
        alloc.close();
        context.close();
        kernel.assertClean();
    }

    /** A request's pieces as the device sees them. */
    private static List<List<Long>> pieces(CountedPieces list) {
        List<List<Long>> pieces = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            pieces.add(List.of(list.address(i), (long) list.length(i)));
        }
        return pieces;
    }

    @Test
    void addsReadableAndWritableBytes() {
        ByteBuf buffer = alloc.directBuffer(100).writeZero(60).skipBytes(20);
        long address = buffer.memoryAddress();
        SendWorkRequest send = NettyMemory.add(new SendWorkRequest(2).inline(ByteBuffer.allocate(1)), buffer);
        assertThat(pieces(InnerVerbs.door().pieces(send))).containsExactly(List.of(address + 20, 40L));
        assertThat(send.totalLength()).isEqualTo(40);
        NettyMemory.add(send, buffer.slice(30, 10), 1, 2);
        assertThat(pieces(InnerVerbs.door().pieces(send))).last().isEqualTo(List.of(address + 31, 2L));
        ReceiveWorkRequest receive = NettyMemory.add(new ReceiveWorkRequest(1), buffer);
        assertThat(pieces(InnerVerbs.door().pieces(receive))).containsExactly(List.of(address + 60, 40L));
        assertThatThrownBy(() -> NettyMemory.add(new SendWorkRequest(1), buffer, 99, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NettyMemory.add(new ReceiveWorkRequest(1), buffer.asReadOnly()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
        buffer.release();
    }

    @Test
    void addsAPieceForEachComponent() {
        CompositeByteBuf composite = alloc.compositeDirectBuffer();
        ByteBuf first = alloc.directBuffer(8).writeZero(8);
        ByteBuf second = alloc.directBuffer(8).writeZero(8);
        composite.addComponents(true, first, second);
        SendWorkRequest request = NettyMemory.add(new SendWorkRequest(2), composite, 5, 6);
        assertThat(pieces(InnerVerbs.door().pieces(request)))
                .containsExactly(List.of(first.memoryAddress() + 5, 3L), List.of(second.memoryAddress(), 3L));
        SendWorkRequest small = new SendWorkRequest(1);
        assertThatThrownBy(() -> NettyMemory.add(small, composite))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 components");
        assertThat(small.size()).isZero();
        composite.release();
    }

    static Stream<ByteBuf> foreign() {
        return Stream.of(
                Unpooled.directBuffer(8).writeZero(8),
                Unpooled.buffer(8).writeZero(8),
                Unpooled.compositeBuffer()
                        .addComponent(true, Unpooled.directBuffer(8).writeZero(8)),
                Unpooled.compositeBuffer()
                        .addComponent(true, Unpooled.directBuffer(8).writeZero(8))
                        .slice(0, 4));
    }

    @ParameterizedTest
    @MethodSource("foreign")
    void refusesOtherBuffers(ByteBuf buffer) {
        SendWorkRequest request = new SendWorkRequest(1);
        assertThatThrownBy(() -> NettyMemory.add(request, buffer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RegisteredByteBufAllocator");
        assertThat(request.size()).isZero();
        buffer.release();
    }

    private static ReceiveWorkRequest into(ByteBuf buffer) {
        return NettyMemory.add(new ReceiveWorkRequest(1), buffer);
    }

    @Test
    void postsNothingOverABufferThatWasReleasedOrMoved() throws Exception {
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        ByteBuf moved = alloc.directBuffer(64);
        ReceiveWorkRequest request = into(moved);
        srq.postReceive(request);
        moved.capacity(1000);
        assertThatThrownBy(() -> srq.postReceive(request))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("moved");
        ReceiveWorkRequest late = into(moved);
        moved.release();
        assertThatThrownBy(() -> srq.postReceive(late))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released");
        assertThatThrownBy(() -> into(moved)).isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void postsNothingOverABufferThatLiesAtItsOldAddressByAnotherIndex() throws Exception {
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        ByteBuf before = alloc.directBuffer(600);
        ByteBuf buffer = alloc.directBuffer(600);
        ByteBuf behind = alloc.directBuffer(2000);
        long address = buffer.memoryAddress();
        ReceiveWorkRequest request = NettyMemory.add(new ReceiveWorkRequest(1), buffer, 500, 64);
        buffer.capacity(1500);
        before.release();
        behind.release();
        buffer.capacity(3000);
        assertThat(address + 500).isBetween(buffer.memoryAddress(), buffer.memoryAddress() + 3000);
        assertThatThrownBy(() -> srq.postReceive(request))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("moved");
        buffer.release();
    }

    @Test
    void receivesIntoNoReadOnlyComponent() {
        CompositeByteBuf composite = alloc.compositeDirectBuffer();
        composite.addComponents(
                true,
                alloc.directBuffer(8).writeZero(8),
                alloc.directBuffer(8).writeZero(8).asReadOnly());
        ReceiveWorkRequest request = new ReceiveWorkRequest(2);
        assertThatThrownBy(() -> NettyMemory.add(request, composite, 0, 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
        assertThat(request.size()).isZero();
        assertThat(NettyMemory.add(request, composite, 0, 8).size()).isEqualTo(1);
        assertThat(NettyMemory.add(new SendWorkRequest(2), composite).size()).isEqualTo(2);
        composite.release();
    }

    @Test
    void postsNothingOfAClosedProtectionDomain() throws Exception {
        ByteBuf buffer = alloc.directBuffer(64);
        ReceiveWorkRequest request = into(buffer);
        pd.close();
        SharedReceiveQueue srq = context.allocatePd().createSrq(SharedReceiveQueueOptions.DEFAULT);
        assertThatThrownBy(() -> srq.postReceive(request)).hasMessageContaining("closed");
        buffer.release();
    }

    @Test
    void holdsEveryView() {
        for (Seen view : Seen.values()) {
            ByteBuf buffer = alloc.directBuffer(64, 64).writeZero(64);
            ByteBuf seen = view.of(buffer);
            RequestHolds holds = new RequestHolds(1);
            SendWorkRequest request = NettyMemory.add(new SendWorkRequest(1), seen, 0, 8);
            holds.hold(InnerVerbs.door().pieces(request));
            assertThat(buffer.release()).isFalse();
            holds.releaseAll();
            holds.releaseAll();
            assertThat(buffer.refCnt()).isZero();
        }
    }

    /** Buffers that have their memory from another. */
    private enum Seen {
        ITSELF,
        SLICE,
        DUPLICATE,
        READ_ONLY,
        RETAINED_BY_NOBODY;

        ByteBuf of(ByteBuf buffer) {
            return switch (this) {
                case ITSELF -> buffer;
                case SLICE -> buffer.slice(8, 32).slice(8, 16);
                case DUPLICATE -> buffer.duplicate();
                case READ_ONLY -> buffer.asReadOnly();
                case RETAINED_BY_NOBODY -> Unpooled.unreleasableBuffer(buffer);
            };
        }
    }

    @Test
    void holdsAllOrNothing() {
        ByteBuf good = alloc.directBuffer(8).writeZero(8);
        ByteBuf bad = alloc.directBuffer(8).writeZero(8);
        SendWorkRequest request = NettyMemory.add(NettyMemory.add(new SendWorkRequest(2), good), bad);
        bad.release();
        RequestHolds holds = new RequestHolds(1);
        assertThatThrownBy(() -> holds.hold(InnerVerbs.door().pieces(request)))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThat(good.refCnt()).isEqualTo(1);
        holds.releaseAll();
        assertThat(good.refCnt()).isEqualTo(1);
        good.release();
    }

    @Test
    void letsEverythingGoAlthoughACountIsWrong() {
        ByteBuf good = alloc.directBuffer(8).writeZero(8);
        ByteBuf bad = alloc.directBuffer(8).writeZero(8);
        RequestHolds holds = new RequestHolds(1);
        holds.hold(InnerVerbs.door().pieces(NettyMemory.add(NettyMemory.add(new SendWorkRequest(2), bad), good)));
        bad.release(2);
        assertThatThrownBy(holds::releaseAll).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(good.refCnt()).isEqualTo(1);
        good.release();
    }

    @Test
    void movesNothingThatTheDeviceUses() {
        ByteBuf buffer = alloc.directBuffer(64).writeZero(8);
        RequestHolds holds = new RequestHolds(1);
        holds.hold(InnerVerbs.door().pieces(NettyMemory.add(new SendWorkRequest(1), buffer)));
        buffer.capacity(256);
        assertThatThrownBy(() -> buffer.capacity(257))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in flight");
        holds.releaseAll();
        buffer.capacity(257).release();
    }
}
