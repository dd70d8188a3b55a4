// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.kernel.KernelCommand;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Regions of a dma-buf on the software ConnectX, whose kernel has one that the process does not map. */
@Timeout(60)
class DmaBufTest {
    private static final Set<Access> ALL = EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
    private static final int BYTES = 3 * 4096;

    /** Far from all memory of the process. */
    private static final long IOVA = 0x10_0000;

    private final ByteBuffer content = ByteBuffer.allocateDirect(BYTES);
    private CardPair pair;
    private int number;
    private KernelFd dmabuf;

    @BeforeEach
    void open() throws RdmaException {
        pair = new CardPair(new Mlx5Settings());
        number = pair.kernel().makeDmaBuf(content);
        dmabuf = KernelFd.adopt(pair.kernel().kernel(), number, "dma-buf");
    }

    @AfterEach
    void close() throws RdmaException {
        dmabuf.close();
        pair.close();
    }

    private MemoryRegion register(long offset, long length, long iova) throws RdmaException {
        return pair.pd().registerDmabufMr(number, offset, length, iova, ALL);
    }

    private void settle(SendWorkRequest request) throws RdmaException {
        pair.client().postSend(request.signaled());
        pair.settle();
        assertThat(pair.poll().isSuccess()).isTrue();
    }

    @Test
    void aPeerReachesItByIovaAndKey() throws Exception {
        int pages = pair.kernel().lockedPages();
        MemoryRegion region = register(4096 + 8, 4096, IOVA + 8);
        assertThat(region.iova()).isEqualTo(IOVA + 8);
        assertThat(region.length()).isEqualTo(4096);
        assertThat(pair.kernel().lockedPages()).isEqualTo(pages);
        pair.buffer().putLong(0, 42);

        settle(new SendWorkRequest(1)
                .rdmaWrite(region.iova() + 16, region.rkey())
                .add(pair.region(), 0, 8));
        assertThat(content.getLong(4096 + 8 + 16)).isEqualTo(42);

        settle(new SendWorkRequest(1)
                .rdmaRead(region.iova() + 16, region.rkey())
                .add(pair.region(), 8, 8));
        assertThat(pair.buffer().getLong(8)).isEqualTo(42);
    }

    @Test
    void messagesAreSentFromItAndReceivedInIt() throws Exception {
        MemoryRegion region = register(0, BYTES, IOVA);
        content.putLong(64, 7);
        pair.server().postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, 8192, 8));
        pair.client().postSend(new SendWorkRequest(1).send().add(region, 64, 8));
        pair.settle();

        assertThat(pair.poll().wrId()).isEqualTo(1);
        assertThat(content.getLong(8192)).isEqualTo(7);
        assertThatThrownBy(() -> new SendWorkRequest(1).send().add(region, BYTES - 4, 8))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void theKernelKeepsItAfterItsDescriptorIsClosed() throws Exception {
        MemoryRegion region = register(0, BYTES, 0);
        dmabuf.close();
        pair.buffer().putLong(0, 9);

        settle(new SendWorkRequest(1).rdmaWrite(0, region.rkey()).add(pair.region(), 0, 8));

        assertThat(content.getLong(0)).isEqualTo(9);
        region.close();
        assertThatThrownBy(() ->
                        pair.client().postSend(new SendWorkRequest(1).send().add(region, 0, 8)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void itsRightsHoldAndNeverChange() throws Exception {
        MemoryRegion region =
                pair.pd().registerDmabufMr(number, 0, BYTES, IOVA, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
        pair.client()
                .postSend(new SendWorkRequest(1).rdmaWrite(IOVA, region.rkey()).add(pair.region(), 0, 8));
        pair.settle();
        assertThat(pair.poll().statusName()).isEqualTo("REM_ACCESS_ERR");
        assertThatThrownBy(() -> region.changeAccess(ALL))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("register the dma-buf again");
    }

    private static void assertErrno(Errno errno, String advice, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining("UVERBS_METHOD_REG_DMABUF_MR")
                .hasMessageContaining(advice);
    }

    @Test
    void saysWhyTheKernelRefuses() throws Exception {
        try (CompletionChannel channel = pair.context().createCompletionChannel()) {
            int other = KernelFd.of(channel).use(descriptor -> descriptor);
            assertErrno(Errno.EINVAL, "may not be a dma-buf", () -> pair.pd().registerDmabufMr(other, 0, 1, 0, ALL));
        }
        assertErrno(Errno.EINVAL, "beyond the end", () -> register(4096, BYTES, 0));
        pair.kernel().failNext(KernelCommand.REG_MR, Errno.EOPNOTSUPP);
        assertErrno(Errno.EOPNOTSUPP, "does not support dma-bufs", () -> register(0, BYTES, 0));
        pair.kernel().failNext(KernelCommand.REG_MR, Errno.EPROTONOSUPPORT);
        assertErrno(Errno.EPROTONOSUPPORT, "Linux 5.12", () -> register(0, BYTES, 0));
        dmabuf.close();
        assertErrno(new Errno(9), "Bad file descriptor", () -> register(0, BYTES, 0)); // EBADF
    }

    @Test
    void saysWhatFits() {
        assertThatThrownBy(() -> register(8, 16, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must equal offset");
        assertThatThrownBy(() -> register(0, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1 byte");
        assertThatThrownBy(() -> register(-4096, 16, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        pair.pd().registerDmabufMr(number, 0, 16, 0, EnumSet.of(Access.LOCAL_WRITE, Access.ON_DEMAND)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RELAXED_ORDERING");
        assertThatThrownBy(() -> pair.pd().registerDmabufMr(number, 0, 16, 0, EnumSet.of(Access.REMOTE_WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("add LOCAL_WRITE");
    }
}
