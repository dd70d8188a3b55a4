// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.irdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.lab.RawConnection;
import io.github.rdma4j.lab.providers.card.CardCq;
import io.github.rdma4j.lab.providers.kernel.CardKernel;
import io.github.rdma4j.lab.providers.kernel.IrdmaSettings;
import io.github.rdma4j.lab.providers.kernel.KernelCommand;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.UnsupportedDriverException;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and devices of irdma that lie, fail or go away, and what is left then. */
class IrdmaFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Two connected queue pairs on one completion queue; the device moves when the test says so. */
    private static final class Bed {
        private final CardKernel kernel;
        private final DeviceContext context;
        private final CompletionQueue cq;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        private final MemoryRegion region;
        private final QueuePair client;
        private final QueuePair server;
        private final WorkCompletion[] one = WorkCompletion.array(1);

        Bed(IrdmaSettings settings) throws RdmaException {
            kernel = settings.start();
            context = kernel.openDevice();
            ProtectionDomain pd = context.allocatePd();
            cq = context.createCq(15);
            region = pd.registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_READ));
            client = pd.createQp(QueuePairOptions.builder().cq(cq).build());
            server = pd.createQp(QueuePairOptions.builder().cq(cq).build());
            RawConnection.connect(client, server, CardKernel.WAY);
        }

        SendWorkRequest write(long wrId) {
            return new SendWorkRequest(1)
                    .wrId(wrId)
                    .rdmaWrite(region.iova() + 64, region.rkey())
                    .add(region, 0, 8)
                    .signaled();
        }

        ReceiveWorkRequest receive(long wrId) {
            return new ReceiveWorkRequest(1).wrId(wrId).add(region, 128, 64);
        }

        CardCq device() {
            return kernel.card().completionQueues().get(0);
        }

        void settle() {
            kernel.card().settle();
        }

        boolean isEmpty() {
            return cq.poll(one) == 0;
        }

        void assertWrites(long wrId) throws RdmaException {
            client.postSend(write(wrId));
            settle();
            assertThat(cq.poll(one)).isEqualTo(1);
            assertThat(one[0].wrId()).isEqualTo(wrId);
        }

        void close() throws RdmaException {
            context.close();
            kernel.assertClean();
        }
    }

    private static void makeEverything(CardKernel kernel) throws RdmaException {
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = context.createCq(10);
            cq.resize(20);
            pd.createQp(QueuePairOptions.builder().cq(cq).build());
        }
    }

    // ---- what a kernel may say and refuse

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 6, 1000})
    void makesNoQueuesForADriverOfAnotherAbi(int abi) throws Exception {
        CardKernel kernel = new IrdmaSettings().driverAbi(abi).start();
        try (DeviceContext context = kernel.openDevice()) {
            assertThatThrownBy(() -> context.createCq(1))
                    .isInstanceOf(UnsupportedDriverException.class)
                    .hasMessageContaining("its provider supports ABI 5 to 5");
        }
        kernel.assertClean();
    }

    @Test
    void saysThatItDoesNotKnowTheGeneration() {
        CardKernel kernel = new IrdmaSettings()
                .contextReply(reply -> reply.put(ContextResp.HW_REV, (byte) 4))
                .start();
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("the device is of generation 4");
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                ContextResp.MAX_HW_WQ_FRAGS,
                ContextResp.MAX_HW_READ_SGES,
                ContextResp.MAX_HW_INLINE,
                ContextResp.MAX_HW_RQ_QUANTA,
                ContextResp.MAX_HW_WQ_QUANTA,
                ContextResp.MAX_HW_CQ_SIZE
            })
    void trustsNoLimitBeyondTheFormat(int at) throws Exception {
        for (int lie : new int[] {0, -1, Integer.MIN_VALUE}) {
            CardKernel kernel = new IrdmaSettings()
                    .contextReply(reply -> reply.putInt(at, lie))
                    .start();
            assertThatThrownBy(kernel::openDevice)
                    .isInstanceOf(MalformedReplyException.class)
                    .hasMessageContaining("irdma_alloc_ucontext_resp, max_hw_")
                    .hasMessageContaining("" + lie);
            kernel.assertClean();
        }
        CardKernel kernel = new IrdmaSettings()
                .contextReply(reply -> reply.putInt(at, Integer.MAX_VALUE))
                .start();
        makeEverything(kernel);
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 1, 3, 7, 16, -8})
    void takesNoChunkThatIsNone(short chunk) {
        CardKernel kernel = new IrdmaSettings()
                .contextReply(reply -> reply.putShort(ContextResp.MAX_HW_SQ_CHUNK, chunk))
                .start();
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("max_hw_sq_chunk");
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 3, 24, 256, -16})
    void takesNoFewestElementsThatAreNoRing(short fewest) {
        CardKernel kernel = new IrdmaSettings()
                .gen3()
                .contextReply(reply -> reply.putShort(Newer.MIN_HW_WQ_SIZE, fewest))
                .start();
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("min_hw_wq_size");
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
    void trustsNoSizeOfSharedReceiveQueuesBeyondTheFormat(int quanta) throws Exception {
        CardKernel kernel = new IrdmaSettings()
                .gen3()
                .contextReply(reply -> reply.putInt(Newer.MAX_HW_SRQ_QUANTA, quanta))
                .start();
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            SharedReceiveQueueOptions.Builder options = SharedReceiveQueueOptions.builder();
            assertThatThrownBy(() -> pd.createSrq(options.maxReceiveWr(1 << 20).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxReceiveWr of a shared receive queue is 1048576");
        }
        kernel.assertClean();
    }

    @Test
    void saysThatTheLimitOfLockedMemoryIsReached() throws Exception {
        CardKernel kernel = new IrdmaSettings().lockedBytes(8 * 4096).start();
        try (DeviceContext context = kernel.openDevice()) {
            assertThatThrownBy(() -> context.createCq(1000))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                    .hasMessageContaining("RLIMIT_MEMLOCK");
            context.createCq(10).close();
        }
        kernel.assertClean();
    }

    @ParameterizedTest
    @EnumSource(
            value = KernelCommand.class,
            names = {"OPEN", "GET_CONTEXT", "MAP", "ALLOC_PD", "REG_MR", "CREATE_CQ", "RESIZE_CQ", "CREATE_QP"})
    void leavesNothingOfACommandThatIsRefused(KernelCommand command) throws Exception {
        CardKernel kernel = new IrdmaSettings().start();
        kernel.failNext(command, Errno.ENOMEM);
        assertThatThrownBy(() -> makeEverything(kernel)).isInstanceOf(ErrnoException.class);
        kernel.assertClean();
        makeEverything(kernel);
        kernel.assertClean();
    }

    /** The domain and the regions of the rings go with the queues and not only with the context. */
    @Test
    void givesTheMemoryOfAQueueBackWithTheQueue() throws Exception {
        CardKernel kernel = new IrdmaSettings().start();
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            List<String> before = kernel.objects();
            int pages = kernel.lockedPages();
            for (int i = 0; i < 20; i++) {
                try (CompletionQueue cq = context.createCq(10);
                        QueuePair qp =
                                pd.createQp(QueuePairOptions.builder().cq(cq).build())) {
                    cq.resize(20 + i);
                    assertThat(qp.qpn()).isPositive();
                }
            }
            assertThat(kernel.objects()).isEqualTo(before);
            assertThat(kernel.lockedPages()).isEqualTo(pages);
        }
        kernel.assertClean();
    }

    @Test
    void aResizeThatIsRefusedChangesNothing() throws Exception {
        Bed bed = new Bed(new IrdmaSettings());
        bed.client.postSend(bed.write(1));
        bed.settle();
        bed.kernel.failNext(KernelCommand.RESIZE_CQ, Errno.EINVAL);
        assertThatThrownBy(() -> bed.cq.resize(100)).isInstanceOf(ErrnoException.class);
        assertThat(bed.cq.capacity()).isEqualTo(15);
        assertThat(bed.cq.poll(bed.one)).isEqualTo(1);
        for (int i = 0; i < 100; i++) {
            bed.assertWrites(i);
        }
        bed.close();
    }

    /** A ring that the device may still write to stays registered. */
    @Test
    void keepsTheRegionOfAQueueThatTheKernelKeeps() throws Exception {
        Bed bed = new Bed(new IrdmaSettings());
        bed.kernel.failNext(KernelCommand.DESTROY_QP, Errno.EIO);
        assertThatThrownBy(bed.client::close).isInstanceOf(ErrnoException.class);
        assertThat(bed.kernel.objects()).filteredOn("qp"::equals).hasSize(2);
        assertThatThrownBy(bed.context::close).isInstanceOf(ErrnoException.class);
        assertThat(bed.kernel.complaints()).isEmpty();
        assertThat(bed.kernel.descriptors()).isZero();
    }

    // ---- a device that goes away

    @Test
    void survivesTheRemovalOfTheDeviceWhileOthersPost() throws Exception {
        Bed bed = new Bed(new IrdmaSettings());
        bed.assertWrites(1);
        Thread poster = new Thread(() -> {
            try {
                for (int i = 0; i < 10_000; i++) {
                    bed.client.tryPostSend(bed.write(i));
                    bed.server.tryPostReceive(bed.receive(i));
                    bed.cq.poll(WorkCompletion.array(2));
                }
            } catch (RdmaException e) {
                throw new IllegalStateException(e);
            }
        });
        Throwable[] failure = {null};
        poster.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        poster.start();
        bed.kernel.removeDevice();
        assertThat(bed.context.awaitAsyncEvent(LIMIT))
                .hasValueSatisfying(event -> assertThat(event.type()).isEqualTo(AsyncEventType.DEVICE_FATAL));
        poster.join();
        assertThat(failure[0]).isNull();
        assertThatThrownBy(() -> bed.context.createCq(10)).isInstanceOf(ErrnoException.class);
        try {
            bed.context.close();
        } catch (ErrnoException commandsFailOnADeviceThatIsGone) {
            assertThat(commandsFailOnADeviceThatIsGone.errno()).isEqualTo(Errno.EIO);
        }
        assertThat(bed.kernel.descriptors()).isZero();
        assertThat(bed.kernel.complaints()).isEmpty();
    }

    // ---- completions that mean nothing

    @Test
    void passesOverCompletionsOfNoQueuePair() throws Exception {
        Bed bed = new Bed(new IrdmaSettings());
        for (long context : new long[] {1, 0x100_0002L, 0x500_0000L, -1, Long.MIN_VALUE}) {
            bed.device().forge(ByteBuffer.allocate(32).putLong(8, Long.reverseBytes(context)));
        }
        assertThat(bed.isEmpty()).isTrue();
        assertThat(bed.cq.ignoredEntries()).isEqualTo(5);
        bed.assertWrites(7);
        bed.close();
    }

    @ParameterizedTest
    @Seeds
    void survivesGarbage(long seed) throws Exception {
        Random random = new Random(seed);
        Bed bed = new Bed(new IrdmaSettings());
        byte[] bytes = new byte[32];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(bytes);
            ByteBuffer entry = ByteBuffer.wrap(bytes);
            if (random.nextBoolean()) {
                // Contexts of this bed: the first queue pair is 0 and counted as 1, the other 1 and 2.
                int which = random.nextInt(3);
                entry.putLong(8, Long.reverseBytes((long) (which + 1) << 24 | which));
            }
            bed.device().forge(entry);
            bed.isEmpty();
        }
        assertThat(bed.cq.ignoredEntries()).isBetween(1L, 10_000L);
        bed.close();
    }
}
