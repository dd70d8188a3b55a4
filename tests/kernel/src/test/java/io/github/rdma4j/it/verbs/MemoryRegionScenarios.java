// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory lent to the device: what can be, what cannot, and for how long. */
abstract class MemoryRegionScenarios extends DeviceScenarios {
    private static final Set<Access> READ_ONLY = EnumSet.noneOf(Access.class);
    private static final Set<Access> WRITABLE = EnumSet.of(Access.LOCAL_WRITE);

    /** Without leak detectors around its buffers, which would have a reference count of their own from the region. */
    private static final UnpooledByteBufAllocator UNTRACKED = new UnpooledByteBufAllocator(true, true);

    private DeviceContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() throws Exception {
        context = openContext();
        pd = context.allocatePd();
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    @Test
    void registersFromPositionToLimit() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        MemoryRegion whole = pd.registerMr(buffer, WRITABLE);
        MemoryRegion part = pd.registerMr(buffer.position(100).limit(300), WRITABLE);
        assertThat(part.length()).isEqualTo(200);
        assertThat(part.iova()).isEqualTo(whole.iova() + 100);
    }

    @Test
    void givesEachRegionKeysOfItsOwn() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        // On rxe, the rkey of a region that the peer may not use is 0.
        MemoryRegion first = pd.registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
        MemoryRegion second = pd.registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
        assertThat(first.lkey()).isNotEqualTo(second.lkey());
        assertThat(first.rkey()).isNotEqualTo(second.rkey());
    }

    @Test
    void registersAReadOnlyBufferForReading() throws Exception {
        ByteBuffer readOnly = ByteBuffer.allocateDirect(64).asReadOnlyBuffer();
        assertThat(pd.registerMr(readOnly, READ_ONLY).length()).isEqualTo(64);
    }

    @Test
    void registersMappedMemory() throws Exception {
        long length = 64L << 20;
        try (MappedMemory memory = MappedMemory.allocate(length);
                MemoryRegion region = pd.registerMr(memory, WRITABLE)) {
            assertThat(region.length()).isEqualTo(length);
        }
    }

    @Test
    void refusesMemoryThatIsClosed() throws Exception {
        MappedMemory memory = MappedMemory.allocate(4096);
        memory.close();
        assertThatThrownBy(() -> pd.registerMr(memory, WRITABLE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void movesBytesThroughAByteBufThatItsOwnerHasReleased() throws Exception {
        try (Ends ends = connect(setup -> setup)) {
            ByteBuf buffer = UNTRACKED.directBuffer(64, 64);
            buffer.setLong(0, 0x1122334455667788L);
            MemoryRegion region = NettyMemory.registerMr(ends.client().pd(), buffer, WRITABLE);
            buffer.release();
            ends.server().receive(1, 64);
            ends.client()
                    .qp()
                    .postSend(new SendWorkRequest(1).send().add(region, 0, 8).signaled());
            ends.server().success();
            ends.client().success();
            assertThat(ends.server().buffer().getLong(0)).isEqualTo(0x1122334455667788L);
            region.close();
            assertThat(buffer.refCnt()).isZero();
        }
    }

    /** Nobody but the program holds the buffers of a request that is posted without a dispatcher. */
    @Test
    void movesBytesBetweenPooledBuffers() throws Exception {
        try (Ends ends = connect(setup -> setup);
                RegisteredByteBufAllocator atClient =
                        RegisteredByteBufAllocator.open(ends.client().pd(), WRITABLE);
                RegisteredByteBufAllocator atServer =
                        RegisteredByteBufAllocator.open(ends.server().pd(), WRITABLE)) {
            ByteBuf into = atServer.directBuffer(64).writeLong(1);
            ByteBuf message = atClient.directBuffer(64).writeLong(1).writeLong(0x1122334455667788L);
            message.readLong();
            ends.server().qp().postReceive(NettyMemory.add(new ReceiveWorkRequest(1), into));
            ends.client()
                    .qp()
                    .postSend(NettyMemory.add(new SendWorkRequest(1).send(), message)
                            .signaled());
            into.writerIndex(into.writerIndex() + ends.server().success().byteLength());
            ends.client().success();
            assertThat(into.readLong()).isEqualTo(1);
            assertThat(into).isEqualTo(message);
            assertThat(message.release()).isTrue();
            assertThat(into.release()).isTrue();
        }
    }

    /** What grows has left the region's memory: the peer would write where the allocator has other things by now. */
    @Test
    void letsNoByteBufGrowAwayFromUnderTheDevice() throws Exception {
        EnumSet<Access> forThePeer = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        try (Ends ends = connect(setup -> setup)) {
            ByteBuf fixed = UNTRACKED.directBuffer(1000, 1000);
            MemoryRegion region = NettyMemory.registerMr(ends.server().pd(), fixed, forThePeer);
            assertThatThrownBy(() -> fixed.writeZero(1000).writeByte(1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(fixed.memoryAddress()).isEqualTo(region.iova());
            End client = ends.client();
            client.buffer().putLong(0, 0x1122334455667788L);
            client.qp()
                    .postSend(new SendWorkRequest(1)
                            .rdmaWrite(region.iova() + 992, region.rkey())
                            .add(client.region(), 0, 8)
                            .signaled());
            client.success();
            assertThat(fixed.getLong(992)).isEqualTo(0x1122334455667788L);
            fixed.release();
        }
    }

    @Test
    void registersAMappedFileOrSaysWhatToDo(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("mapped"), new byte[8192]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer readOnly = channel.map(FileChannel.MapMode.READ_ONLY, 0, 8192);
            assertThat(registered(readOnly)).isIn("registered", "EFAULT with advice");
            ByteBuffer copyOnWrite = channel.map(FileChannel.MapMode.PRIVATE, 0, 8192);
            assertThat(registered(copyOnWrite)).isEqualTo("registered");
        }
    }

    private String registered(ByteBuffer file) throws RdmaException {
        try (MemoryRegion region = pd.registerMr(file, EnumSet.of(Access.REMOTE_READ))) {
            assertThat(region.length()).isEqualTo(8192);
            return "registered";
        } catch (ErrnoException e) {
            assertThat(e).hasMessageContaining("EFAULT").hasMessageContaining("MapMode.PRIVATE");
            return "EFAULT with advice";
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void refusesPiecesOutsideARegion(int length) throws Exception {
        MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(64), WRITABLE);
        assertThatThrownBy(() -> new SendWorkRequest(1).add(region, 0, length))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new SendWorkRequest(1).add(region, 1L + Integer.MAX_VALUE, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new SendWorkRequest(1).add(region, -1, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new SendWorkRequest(1).add(region, Long.MAX_VALUE, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void letsNoRequestUseAClosedRegion() throws Exception {
        try (Ends ends = connect(setup -> setup)) {
            MemoryRegion region = ends.client().pd().registerMr(ByteBuffer.allocateDirect(64), WRITABLE);
            SendWorkRequest request = new SendWorkRequest(1).add(region, 0, 8);
            region.close();
            assertThatThrownBy(() -> ends.client().qp().postSend(request))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void survivesARegionThatIsClosedUnderAReceive() throws Exception {
        try (Ends ends = connect(setup -> setup)) {
            End server = ends.server();
            MemoryRegion region = server.pd().registerMr(ByteBuffer.allocateDirect(64), WRITABLE);
            server.qp().postReceive(new ReceiveWorkRequest(1).wrId(9).add(region, 0, 64));
            region.close();
            ends.client().send(1, 64);
            assertThat(ends.client().completion().isSuccess()).isFalse();
            assertThat(server.completion().isSuccess()).isFalse();
        }
    }
}
