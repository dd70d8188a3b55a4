// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.lab.RawConnection;
import io.github.rdma4j.lab.providers.card.CardThread;
import io.github.rdma4j.lab.providers.card.Timing;
import io.github.rdma4j.lab.providers.kernel.CardKernel;
import io.github.rdma4j.lab.providers.kernel.KernelCommand;
import io.github.rdma4j.lab.providers.kernel.Mlx4Kernel;
import io.github.rdma4j.lab.providers.kernel.Mlx4Settings;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A ConnectX-3, and its kernel, that lack something, fail or go away; completions that mean nothing; resized queues. */
@Timeout(60)
class Mlx4FaultsTest {
    private static final int SEND = CqeCodes.MLX4_CQE_IS_SEND_MASK;
    private static final int ERROR = CqeCodes.MLX4_CQE_OPCODE_ERROR;

    // ---- what a kernel may lack or refuse

    @Test
    void movesDataWithCompletionsOf32Bytes() throws Exception {
        try (CardPair pair = new CardPair(new Mlx4Settings().withSmallCompletions())) {
            for (int i = 0; i < 100; i++) {
                pair.buffer().putInt(0, i);
                pair.server().postReceive(pair.receive(i));
                pair.client().postSend(pair.send(i));
                pair.settle();
                assertThat(pair.poll().isSuccess()).isTrue();
                assertThat(pair.poll().isSuccess()).isTrue();
                assertThat(pair.buffer().getInt(128)).isEqualTo(i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void makesNoQueuesForADriverOfAnotherAbi(int abi) {
        Mlx4Kernel kernel = new Mlx4Kernel(new Mlx4Settings().driverAbi(abi));
        assertThatThrownBy(() -> {
                    try (DeviceContext context = kernel.openDevice()) {
                        context.createCq(1);
                    }
                })
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("supports ABI 3 to 4");
        kernel.assertClean();
    }

    @Test
    void opensNoDeviceWithCompletionsOfAnotherSize() {
        Mlx4Kernel kernel = new Mlx4Kernel(new Mlx4Settings().entryBytes(128));
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("completions of 128 bytes");
        kernel.assertClean();
    }

    @ParameterizedTest
    @EnumSource(
            value = KernelCommand.class,
            names = {"OPEN", "GET_CONTEXT", "MAP", "ALLOC_PD", "CREATE_CQ", "RESIZE_CQ", "CREATE_QP", "CREATE_SRQ"})
    void leavesNothingOfACommandThatIsRefused(KernelCommand command) throws Exception {
        Mlx4Kernel kernel = new Mlx4Kernel();
        kernel.failNext(command, Errno.ENOMEM);
        assertThatThrownBy(() -> makeEverything(kernel)).isInstanceOf(ErrnoException.class);
        kernel.assertClean();
        makeEverything(kernel);
        kernel.assertClean();
    }

    private static void makeEverything(CardKernel kernel) throws RdmaException {
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = context.createCq(10);
            cq.resize(100);
            pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
            pd.createQp(QueuePairOptions.builder().cq(cq).build());
            pd.createAh(CardKernel.WAY);
        }
    }

    @Test
    void takesAQueuePairThatReceivesNothing() throws Exception {
        Mlx4Kernel kernel = new Mlx4Kernel();
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            pd.createQp(QueuePairOptions.builder()
                    .cq(context.createCq(1))
                    .maxReceiveWr(0)
                    .build());
        }
        kernel.assertClean();
    }

    // ---- a device that goes away

    @Test
    void survivesTheRemovalOfTheDeviceWhileAThreadPosts() throws Exception {
        CardPair pair = new CardPair(new Mlx4Settings());
        CardThread device = CardThread.start(pair.kernel().card());
        FutureTask<Integer> posting = new FutureTask<>(() -> {
            int posted = 0;
            WorkCompletion[] into = WorkCompletion.array(4);
            while (pair.context().awaitAsyncEvent(Duration.ZERO).isEmpty()) {
                posted += pair.client().tryPostSend(pair.write(1)) ? 1 : 0;
                pair.cq().poll(into);
            }
            return posted;
        });
        Thread poster = new Thread(posting, "poster");
        poster.start();
        while (pair.kernel().card().completionQueues().get(0).written() < 100) {
            Thread.onSpinWait();
        }
        pair.kernel().removeDevice();
        assertThat(posting.get()).isGreaterThanOrEqualTo(100);
        device.close();
        assertThatThrownBy(() -> pair.cq().resize(100))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
        assertThatThrownBy(() -> pair.context().close()).isInstanceOf(ErrnoException.class);
        assertThat(pair.kernel().descriptors()).isZero();
        assertThat(pair.kernel().complaints()).isEmpty();
    }

    // ---- completions that mean nothing

    private static void forge(CardPair pair, int qpn, int operation, int index) {
        ByteBuffer entry = ByteBuffer.allocate(CqeBytes.BYTES)
                .putInt(CqeBytes.VLAN_MY_QPN, qpn)
                .putShort(CqeBytes.WQE_INDEX, (short) index)
                .put(CqeBytes.OWNER_SR_OPCODE, (byte) operation);
        pair.kernel().card().completionQueues().get(0).forge(entry);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100, 0x7f_ffff, 0x80_0000, 0xff_ffff})
    void passesOverCompletionsOfNoQueue(int qpn) throws Exception {
        try (CardPair pair = new CardPair(new Mlx4Settings())) {
            int[] operations = {0, 1, 2, 3, ERROR, SEND | WqeCodes.MLX4_OPCODE_SEND, SEND | ERROR};
            for (int operation : operations) {
                forge(pair, qpn, operation, 0);
            }
            assertThat(pair.isEmpty()).isTrue();
            assertThat(pair.cq().ignoredEntries()).isEqualTo(operations.length);
            pair.assertStillWorks();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 0x7fff, 0xffff})
    void passesOverCompletionsOfWhatWasNeverPosted(int index) throws Exception {
        try (CardPair pair = new CardPair(new Mlx4Settings())) {
            int[] operations = {1, ERROR, SEND | WqeCodes.MLX4_OPCODE_SEND, SEND | ERROR};
            for (int operation : operations) {
                forge(pair, pair.client().qpn(), operation, index);
            }
            assertThat(pair.isEmpty()).isTrue();
            assertThat(pair.cq().ignoredEntries()).isEqualTo(operations.length);
            pair.assertStillWorks();
        }
    }

    @Test
    void leavesAQueueThatTheKernelKeepsItsRecord() throws Exception {
        CardPair pair = new CardPair(new Mlx4Settings());
        pair.kernel().failNext(KernelCommand.DESTROY_QP, Errno.EIO);
        assertThatThrownBy(() -> pair.client().close()).isInstanceOf(ErrnoException.class);
        QueuePair next = pair.pd().createQp(pair.options());
        RawConnection.connect(next, pair.server().qpn(), CardKernel.WAY);
        next.postReceive(pair.receive(2));
        next.moveToError();
        pair.settle();
        assertThat(pair.poll().wrId()).isEqualTo(2);
        assertThat(pair.isEmpty()).isTrue();
        assertThatThrownBy(() -> pair.context().close()).isInstanceOf(ErrnoException.class);
        assertThat(pair.kernel().complaints()).isEmpty();
        assertThat(pair.kernel().descriptors()).isZero();
    }

    // ---- resized queues

    @Test
    void refusesAQueueThatIsTooSmallForWhatItHolds() throws Exception {
        try (CardPair pair = new CardPair(new Mlx4Settings())) {
            for (int i = 0; i < 10; i++) {
                pair.client().postSend(pair.write(i));
                pair.settle();
            }
            assertThatThrownBy(() -> pair.cq().resize(6))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("10 completions");
            for (int i = 0; i < 10; i++) {
                assertThat(pair.poll().wrId()).isEqualTo(i);
            }
        }
    }

    /** The device writes completions before, while and after the queue changes. */
    @ParameterizedTest
    @Seeds
    void losesNothingWhileTheQueueChanges(long seed) throws Exception {
        Random random = new Random(seed);
        Mlx4Settings settings = new Mlx4Settings().timing(Timing.hostile(seed));
        try (CardPair pair = new CardPair(seed % 2 == 0 ? settings : settings.withSmallCompletions())) {
            WorkCompletion[] into = WorkCompletion.array(16);
            long posted = 0;
            long polled = 0;
            for (int round = 0; round < 5000; round++) {
                if (posted - polled < CardPair.COMPLETIONS && pair.client().tryPostSend(pair.write(posted))) {
                    posted++;
                }
                pair.kernel().card().step();
                if (random.nextInt(10) == 0) {
                    pair.cq().resize(CardPair.COMPLETIONS + random.nextInt(300));
                }
                int took = random.nextInt(4) == 0 ? pair.cq().poll(into) : 0;
                for (int i = 0; i < took; i++) {
                    assertThat(into[i].wrId()).isEqualTo(polled++);
                }
            }
            while (polled < posted) {
                pair.kernel().card().step();
                int took = pair.cq().poll(into);
                for (int i = 0; i < took; i++) {
                    assertThat(into[i].wrId()).isEqualTo(polled++);
                }
            }
            assertThat(pair.cq().ignoredEntries()).isZero();
        }
    }
}
