// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.card.Timing;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.KernelCommand;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.UnsupportedDriverException;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels and devices of every kind that fail or go away, and queue pairs that go. */
@Timeout(60)
class CardFaultsTest {
    // ---- what a kernel may say and refuse

    /** The driver of ConnectX opens no device without the provider's part of the request. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "MLX5.*")
    void makesNoQueuesForADriverOfAnotherAbi(CardKind kind) throws Exception {
        for (int abi : new int[] {2, 6, 1000}) {
            CardKernel kernel = kind.settings().driverAbi(abi).start();
            try (DeviceContext context = kernel.openDevice()) {
                assertThatThrownBy(() -> context.createCq(1))
                        .isInstanceOf(UnsupportedDriverException.class)
                        .hasMessageContaining("its provider supports ABI");
            }
            kernel.assertClean();
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavesNothingOfACommandThatIsRefused(CardKind kind) throws Exception {
        for (KernelCommand command : kind.commands()) {
            CardKernel kernel = kind.settings().start();
            kernel.failNext(command, Errno.ENOMEM);
            assertThatThrownBy(() -> kind.makeEverything(kernel))
                    .as("%s", command)
                    .isInstanceOf(ErrnoException.class);
            kernel.assertClean();
            kind.makeEverything(kernel);
            kernel.assertClean();
        }
    }

    /** What goes with a queue goes before the context. */
    @ParameterizedTest
    @EnumSource
    void givesTheMemoryOfAQueueBackWithTheQueue(CardKind kind) throws Exception {
        CardKernel kernel = kind.settings().start();
        try (DeviceContext context = kernel.openDevice()) {
            // Records that queues share stay with the context.
            closeQueues(kind, context);
            List<String> before = kernel.objects();
            int pages = kernel.lockedPages();
            for (int i = 0; i < 20; i++) {
                closeQueues(kind, context);
            }
            assertThat(kernel.objects()).isEqualTo(before);
            assertThat(kernel.lockedPages()).isEqualTo(pages);
        }
        kernel.assertClean();
    }

    private static void closeQueues(CardKind kind, DeviceContext context) throws Exception {
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue cq = kind.makeQueues(pd);
        pd.close();
        cq.close();
    }

    @ParameterizedTest
    @CardKind.WithResizing
    void aResizeThatIsRefusedChangesNothing(CardKind kind) throws Exception {
        try (CardPair pair = kind.pair()) {
            pair.client().postSend(pair.write(1));
            pair.settle();
            pair.kernel().failNext(KernelCommand.RESIZE_CQ, Errno.EINVAL);
            int before = pair.cq().capacity();
            assertThatThrownBy(() -> pair.cq().resize(100)).isInstanceOf(ErrnoException.class);
            assertThat(pair.cq().capacity()).isEqualTo(before);
            assertThat(pair.poll().wrId()).isEqualTo(1);
            for (int i = 0; i < 100; i++) {
                pair.assertStillWorks();
            }
        }
    }

    /** The device may still write to the memory of the queue pair, and to what it shares with others. */
    @ParameterizedTest
    @EnumSource
    void leavesAQueuePairThatTheKernelKeepsWhatItHas(CardKind kind) throws Exception {
        CardPair pair = kind.pair();
        pair.client().postSend(pair.write(1));
        pair.settle();
        pair.poll();
        pair.kernel().failNext(KernelCommand.DESTROY_QP, Errno.EIO);
        assertThatThrownBy(() -> pair.client().close()).isInstanceOf(ErrnoException.class);
        assertThat(pair.kernel().objects()).filteredOn("qp"::equals).hasSize(2);
        QueuePair next = pair.pd().createQp(pair.options());
        RawConnection.connect(next, pair.server().qpn(), CardKernel.WAY);
        next.postReceive(pair.receive(2));
        pair.server().postSend(pair.send(4));
        pair.settle();
        assertThat(pair.isEmpty())
                .as("the queue pair that is kept has no receive")
                .isTrue();
        next.moveToError();
        next.postSend(pair.write(3));
        pair.settle();
        assertThat(pair.poll().wrId() + pair.poll().wrId()).isEqualTo(5);
        assertThat(pair.isEmpty()).isTrue();
        assertThatThrownBy(() -> pair.context().close()).isInstanceOf(ErrnoException.class);
        assertThat(pair.kernel().descriptors()).isZero();
        assertThat(pair.kernel().complaints()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void saysThatTheLimitOfLockedMemoryIsReached(CardKind kind) throws Exception {
        CardKernel kernel = kind.withLittleLockedMemory().start();
        try (DeviceContext context = kernel.openDevice()) {
            assertThatThrownBy(() -> context.createCq(1000))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                    .hasMessageContaining("RLIMIT_MEMLOCK");
            context.createCq(10).close();
        }
        kernel.assertClean();
    }

    // ---- a device that goes away

    @ParameterizedTest
    @EnumSource
    void survivesTheRemovalOfTheDevice(CardKind kind) throws Exception {
        CardPair pair = kind.pair();
        pair.server().postReceive(pair.receive(1));
        pair.client().postSend(pair.send(2));
        pair.settle();
        pair.client().postSend(pair.write(3));
        pair.kernel().removeDevice();
        pair.assertFatal();
        assertThat(pair.poll().isSuccess()).isTrue();
        assertThat(pair.poll().isSuccess()).isTrue();
        for (int i = 0; i < 10; i++) {
            pair.client().tryPostSend(pair.write(i));
            pair.server().tryPostReceive(pair.receive(i));
            pair.settle();
            assertThat(pair.isEmpty()).isTrue();
        }
        assertThatThrownBy(() -> pair.context().allocatePd()).isInstanceOf(ErrnoException.class);
        pair.closeInVain();
    }

    @ParameterizedTest
    @EnumSource
    void survivesTheRemovalOfTheDeviceWhileAThreadPosts(CardKind kind) throws Exception {
        CardPair pair = kind.pair();
        CardThread device = CardThread.start(pair.kernel().card());
        FutureTask<Integer> posting = new FutureTask<>(() -> {
            int posted = 0;
            int polled = 0;
            WorkCompletion[] into = WorkCompletion.array(4);
            while (pair.context().awaitAsyncEvent(Duration.ZERO).isEmpty()) {
                boolean fits = posted - polled < CardPair.COMPLETIONS;
                posted += fits && pair.client().tryPostSend(pair.write(1)) ? 1 : 0;
                pair.server().tryPostReceive(pair.receive(2));
                polled += pair.cq().poll(into);
            }
            return posted;
        });
        Thread poster = new Thread(posting, "poster");
        poster.start();
        while (!posting.isDone()
                && pair.kernel().card().completionQueues().get(0).written() < 100) {
            Thread.onSpinWait();
        }
        pair.kernel().removeDevice();
        assertThat(posting.get()).isGreaterThanOrEqualTo(100);
        device.close();
        assertThatThrownBy(() -> pair.context().createCq(10))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
        pair.closeInVain();
    }

    @ParameterizedTest
    @EnumSource
    void readsNoOldCompletionsOfADeviceThatHasFailed(CardKind kind) throws Exception {
        try (CardPair pair = kind.pair()) {
            for (int i = 0; i < 2 * CardPair.COMPLETIONS; i++) {
                pair.client().postSend(pair.write(i));
                pair.settle();
                assertThat(pair.poll().wrId()).isEqualTo(i);
            }
            pair.kernel().failDevice();
            pair.assertFatal();
            pair.client().postSend(pair.write(100));
            pair.settle();
            assertThat(pair.isEmpty()).isTrue();
        }
    }

    // ---- resized queues

    /** The device writes completions before, while and after the queue changes. */
    @ParameterizedTest
    @CardKind.WithResizing
    void losesNothingWhileTheQueueChanges(CardKind kind) throws Exception {
        long seed = NewSeed.of("CardFaultsTest, resized queue of " + kind);
        Random random = new Random(seed);
        try (CardPair pair = kind.pair(Timing.hostile(seed))) {
            WorkCompletion[] into = WorkCompletion.array(16);
            long posted = 0;
            long polled = 0;
            for (int round = 0; round < 5000; round++) {
                if (posted - polled < CardPair.COMPLETIONS && pair.client().tryPostSend(pair.write(posted))) {
                    posted++;
                }
                pair.kernel().card().step();
                if (random.nextInt(10) == 0) {
                    resize(pair.cq(), CardPair.COMPLETIONS + random.nextInt(300));
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

    /** The driver bnxt_re refuses the size that the ring has. */
    private static void resize(CompletionQueue cq, int capacity) throws RdmaException {
        try {
            cq.resize(capacity);
        } catch (ErrnoException refused) {
            assertThat(refused).hasMessageContaining("entries already");
        }
    }
}
