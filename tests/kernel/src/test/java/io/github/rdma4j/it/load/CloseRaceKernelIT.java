// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.VerbsObject;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues that are closed while other threads poll them and post to them: an exception for those, and nothing worse. */
@RequiresKernel
class CloseRaceKernelIT {
    private static final int CLOSES = 2000;

    private DeviceContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() throws Exception {
        context = DeviceContext.open(Rxe.DEVICE);
        pd = context.allocatePd();
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    private interface Use<T> {
        void of(T object) throws RdmaException;
    }

    /** A thread that uses whatever object is current, as fast as it can, until told to stop. */
    private static <T> Await.Running<Long> spinner(AtomicReference<T> current, AtomicBoolean stop, Use<T> use) {
        return Await.inThread(() -> {
            long refused = 0;
            while (!stop.get()) {
                T object = Objects.requireNonNull(current.get(), "current");
                try {
                    use.of(object);
                } catch (IllegalStateException closed) {
                    refused++;
                    Thread.onSpinWait();
                }
            }
            return refused;
        });
    }

    private interface Maker<T> {
        T make() throws RdmaException;
    }

    /** Closes object after object while another thread uses the latest. */
    private static <T extends VerbsObject> void closeUnder(Use<T> use, int closes, Maker<T> maker) throws Exception {
        AtomicReference<T> current = new AtomicReference<>(maker.make());
        AtomicBoolean stop = new AtomicBoolean();
        Await.Running<Long> user = spinner(current, stop, use);
        for (int i = 0; i < closes; i++) {
            current.getAndSet(maker.make()).close();
        }
        Objects.requireNonNull(current.get(), "current").close();
        stop.set(true);
        user.result();
    }

    @Test
    void neverShowsACompletionOfAClosedQueueToAPoller() throws Exception {
        AtomicLong phantoms = new AtomicLong();
        WorkCompletion[] into = WorkCompletion.array(4);
        closeUnder(cq -> phantoms.addAndGet(cq.poll(into)), CLOSES, () -> context.createCq(8));
        assertThat(phantoms).hasValue(0);
    }

    @Nightly
    @Test
    void survivesPostersOfQueuePairsThatAreClosed() throws Exception {
        CompletionQueue cq = context.createCq(8);
        QueuePairOptions options = QueuePairOptions.builder().cq(cq).build();
        ReceiveWorkRequest receive = new ReceiveWorkRequest(0);
        closeUnder(qp -> qp.tryPostReceive(receive), CLOSES / 2, () -> inInit(pd.createQp(options)));
        assertThat(cq.poll(WorkCompletion.array(1))).isZero();
    }

    @Test
    void survivesPostersOfSharedReceiveQueuesThatAreClosed() throws Exception {
        ReceiveWorkRequest receive = new ReceiveWorkRequest(0);
        closeUnder(
                srq -> srq.tryPostReceive(receive), CLOSES / 2, () -> pd.createSrq(SharedReceiveQueueOptions.DEFAULT));
    }

    private static QueuePair inInit(QueuePair qp) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(1)
                .access(Set.of())
                .build());
        return qp;
    }

    @Test
    void survivesAWholeContextThatIsClosedUnderItsUsers() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Loopback loopback = Loopback.connected()) {
                AtomicBoolean stop = new AtomicBoolean();
                Loopback.Side client = loopback.client();
                WorkCompletion[] into = WorkCompletion.array(4);
                Await.Running<Long> poller = spinner(new AtomicReference<>(client.cq()), stop, cq -> cq.poll(into));
                Await.Running<Long> sender =
                        spinner(new AtomicReference<>(client), stop, CloseRaceKernelIT::sendIfThereIsRoom);
                client.pd().close();
                client.cq().close();
                stop.set(true);
                poller.result();
                sender.result();
            }
        }
    }

    private static void sendIfThereIsRoom(Loopback.Side side) throws RdmaException {
        try {
            side.send(1, 8);
        } catch (QueueFullException full) {
            Thread.onSpinWait();
        }
    }
}
