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
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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

    /** The object that the threads use at the moment. */
    private static final class Current<T> {
        private volatile T object;

        Current(T object) {
            this.object = object;
        }

        T get() {
            return object;
        }

        void set(T next) {
            object = next;
        }
    }

    private interface Use<T> {
        void of(T object) throws RdmaException;
    }

    /** A thread that uses whatever object is current, as fast as it can, until told to stop. */
    private static <T> Await.Running<Long> spinner(Current<T> current, AtomicBoolean stop, Use<T> use) {
        return Await.inThread(() -> {
            long refused = 0;
            while (!stop.get()) {
                T object = current.get();
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

    @Test
    void neverShowsACompletionOfAClosedQueueToAPoller() throws Exception {
        Current<CompletionQueue> current = new Current<>(context.createCq(8));
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong phantoms = new AtomicLong();
        WorkCompletion[] into = WorkCompletion.array(4);
        Await.Running<Long> poller = spinner(current, stop, cq -> phantoms.addAndGet(cq.poll(into)));
        for (int i = 0; i < CLOSES; i++) {
            CompletionQueue cq = current.get();
            current.set(context.createCq(8));
            cq.close();
        }
        CompletionQueue last = current.get();
        last.close();
        stop.set(true);
        poller.result();
        assertThat(phantoms).hasValue(0);
    }

    @Nightly
    @Test
    void survivesPostersOfQueuePairsThatAreClosed() throws Exception {
        CompletionQueue cq = context.createCq(8);
        QueuePairOptions options = QueuePairOptions.builder().cq(cq).build();
        Current<QueuePair> current = new Current<>(inInit(pd.createQp(options)));
        AtomicBoolean stop = new AtomicBoolean();
        ReceiveWorkRequest receive = new ReceiveWorkRequest(0);
        Await.Running<Long> poster = spinner(current, stop, qp -> qp.tryPostReceive(receive));
        for (int i = 0; i < CLOSES / 2; i++) {
            QueuePair qp = current.get();
            current.set(inInit(pd.createQp(options)));
            qp.close();
        }
        current.get().close();
        stop.set(true);
        poster.result();
        assertThat(cq.poll(WorkCompletion.array(1))).isZero();
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
                Await.Running<Long> poller = spinner(new Current<>(client.cq()), stop, cq -> cq.poll(into));
                Await.Running<Long> sender = spinner(new Current<>(client), stop, CloseRaceKernelIT::sendIfThereIsRoom);
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
