// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.bnxt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.RawConnection;
import io.github.rdma4j.lab.providers.card.CardCq;
import io.github.rdma4j.lab.providers.kernel.BnxtSettings;
import io.github.rdma4j.lab.providers.kernel.CardKernel;
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
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.UnsupportedDriverException;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and devices of bnxt_re that lie, fail or go away, and what is left then. */
@Timeout(60)
class BnxtFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Two connected queue pairs on one completion queue; the device moves when the test says so. */
    private static final class Bed {
        private final CardKernel kernel;
        private final DeviceContext context;
        private final ProtectionDomain pd;
        private final CompletionQueue cq;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        private final MemoryRegion region;
        private final QueuePair client;
        private final SharedReceiveQueue srq;
        private final QueuePair server;
        private final WorkCompletion[] one = WorkCompletion.array(1);

        Bed(BnxtSettings settings) throws RdmaException {
            kernel = settings.start();
            context = kernel.openDevice();
            pd = context.allocatePd();
            cq = context.createCq(15);
            region = pd.registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_READ));
            srq = pd.createSrq(
                    SharedReceiveQueueOptions.builder().maxReceiveWr(20).build());
            client = pd.createQp(QueuePairOptions.builder().cq(cq).build());
            server = pd.createQp(QueuePairOptions.builder().cq(cq).srq(srq).build());
            RawConnection.connect(client, server, CardKernel.WAY);
        }

        SendWorkRequest write(long wrId) {
            return new SendWorkRequest(1)
                    .wrId(wrId)
                    .rdmaWrite(region.iova() + 64, region.rkey())
                    .add(region, 0, 8)
                    .signaled();
        }

        SendWorkRequest send(long wrId) {
            return new SendWorkRequest(1).wrId(wrId).send().add(region, 0, 8);
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

        void assertCompletes(long wrId) {
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
            pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
            pd.createQp(QueuePairOptions.builder().cq(cq).build());
            pd.createAh(CardKernel.WAY);
        }
    }

    // ---- what a kernel may say and refuse

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 1000})
    void makesNoQueuesForADriverOfAnotherAbi(int abi) throws Exception {
        CardKernel kernel = new BnxtSettings().driverAbi(abi).start();
        try (DeviceContext context = kernel.openDevice()) {
            assertThatThrownBy(() -> context.createCq(1))
                    .isInstanceOf(UnsupportedDriverException.class)
                    .hasMessageContaining("its provider supports ABI 1 to 1");
        }
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 64, -1})
    void knowsNoEntriesOfAnotherSize(int bytes) {
        assertRefusesReply(ContextResp.CQE_SZ, bytes, "cqe_sz " + bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void takesNoLimitThatIsNone(int most) {
        assertRefusesReply(ContextResp.MAX_CQD, most, "max_cqd " + most);
    }

    private static void assertRefusesReply(int at, int lie, String message) {
        CardKernel kernel =
                new BnxtSettings().contextReply(reply -> reply.putInt(at, lie)).start();
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("bnxt_re_uctx_resp, " + message);
        kernel.assertClean();
    }

    @ParameterizedTest
    @EnumSource(
            value = KernelCommand.class,
            names = {
                "OPEN",
                "GET_CONTEXT",
                "MAP",
                "ALLOC_PD",
                "CREATE_CQ",
                "RESIZE_CQ",
                "CREATE_SRQ",
                "CREATE_QP",
                "CREATE_AH"
            })
    void leavesNothingOfACommandThatIsRefused(KernelCommand command) throws Exception {
        CardKernel kernel = new BnxtSettings().start();
        kernel.failNext(command, Errno.ENOMEM);
        assertThatThrownBy(() -> makeEverything(kernel)).isInstanceOf(ErrnoException.class);
        kernel.assertClean();
        makeEverything(kernel);
        kernel.assertClean();
    }

    /** The pages that count events go with the queues and not only with the context. */
    @Test
    void givesTheMemoryOfAQueueBackWithTheQueue() throws Exception {
        CardKernel kernel = new BnxtSettings().start();
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            List<String> before = kernel.objects();
            int pages = kernel.lockedPages();
            for (int i = 0; i < 20; i++) {
                try (CompletionQueue cq = context.createCq(10);
                        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
                        QueuePair qp = pd.createQp(
                                QueuePairOptions.builder().cq(cq).srq(srq).build())) {
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
        Bed bed = new Bed(new BnxtSettings());
        bed.client.postSend(bed.write(1));
        bed.settle();
        bed.kernel.failNext(KernelCommand.RESIZE_CQ, Errno.EINVAL);
        int before = bed.cq.capacity();
        assertThatThrownBy(() -> bed.cq.resize(100)).isInstanceOf(ErrnoException.class);
        assertThat(bed.cq.capacity()).isEqualTo(before);
        bed.assertCompletes(1);
        for (int i = 0; i < 100; i++) {
            bed.client.postSend(bed.write(i));
            bed.assertCompletes(i);
        }
        bed.close();
    }

    // ---- the limit of a shared receive queue

    /** The device hears of the limit when there are more receives than that. */
    @Test
    void saysOnceThatALimitIsReached() throws Exception {
        Bed bed = new Bed(new BnxtSettings());
        for (int limit : new int[] {2, 4}) {
            bed.srq.modifyLimit(limit);
            for (int i = 0; i <= limit; i++) {
                bed.srq.postReceive(bed.receive(i));
            }
            bed.settle();
            assertThat(bed.context.awaitAsyncEvent(Duration.ZERO)).isEmpty();
            for (int i = 0; i <= limit; i++) {
                bed.client.postSend(bed.send(100));
                bed.assertCompletes(i);
            }
            assertThat(bed.context.awaitAsyncEvent(LIMIT))
                    .hasValueSatisfying(
                            event -> assertThat(bed.srq.isLimitReached(event)).isTrue());
            assertThat(bed.context.awaitAsyncEvent(Duration.ZERO)).isEmpty();
        }
        bed.close();
    }

    @Test
    void tellsTheDeviceAtOnceWhenThereAreReceives() throws Exception {
        Bed bed = new Bed(new BnxtSettings());
        bed.srq.postReceive(bed.receive(1));
        bed.srq.postReceive(bed.receive(2));
        bed.srq.modifyLimit(1);
        bed.client.postSend(bed.send(100));
        bed.assertCompletes(1);
        assertThat(bed.context.awaitAsyncEvent(Duration.ZERO)).isEmpty();
        bed.client.postSend(bed.send(100));
        bed.assertCompletes(2);
        assertThat(bed.context.awaitAsyncEvent(LIMIT)).isPresent();
        bed.close();
    }

    // ---- completions that mean nothing

    @Test
    void passesOverCompletionsOfNoQueuePair() throws Exception {
        Bed bed = new Bed(new BnxtSettings());
        for (long handle : new long[] {1, 0x100_0002L, 0x500_0000L, -1, Long.MIN_VALUE}) {
            bed.device().forge(ByteBuffer.allocate(32).putLong(0, Long.reverseBytes(handle)));
        }
        assertThat(bed.isEmpty()).isTrue();
        assertThat(bed.cq.ignoredEntries()).isEqualTo(5);
        bed.client.postSend(bed.write(7));
        bed.assertCompletes(7);
        bed.close();
    }

    @ParameterizedTest
    @Seeds
    void survivesGarbage(long seed) throws Exception {
        Random random = new Random(seed);
        Bed bed = new Bed(new BnxtSettings());
        byte[] bytes = new byte[32];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(bytes);
            // All kinds but that by which the device leaves the ring.
            bytes[24] = (byte) (random.nextInt(15) << 1);
            ByteBuffer entry = ByteBuffer.wrap(bytes);
            if (random.nextBoolean()) {
                // Handles of this bed: the first queue pair is 0 and counted as 1, the other 1 and 2.
                int which = random.nextInt(3);
                long handle = Long.reverseBytes((long) (which + 1) << 24 | which);
                entry.putLong(random.nextBoolean() ? 0 : 8, handle);
            }
            bed.device().forge(entry);
            bed.isEmpty();
        }
        assertThat(bed.cq.ignoredEntries()).isBetween(1L, 10_000L);
        bed.context.close();
    }
}
