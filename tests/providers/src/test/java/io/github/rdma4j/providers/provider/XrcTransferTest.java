// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.card.Timing;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.XrcDomain;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Messages and RDMA over XRC on the software devices: which queue and memory they reach, and in which order. */
@Timeout(60)
class XrcTransferTest {
    private CardKernel kernel;
    private XrcEnd end;
    private XrcDomain xrcd;

    @BeforeEach
    void open() throws RdmaException {
        open(CardKind.MLX5.settings());
    }

    private void open(CardSettings<?> settings) throws RdmaException {
        kernel = settings.start();
        end = new XrcEnd(kernel);
        xrcd = XrcDomain.open(end.context());
    }

    private void reopen(CardSettings<?> settings) throws RdmaException {
        close();
        open(settings);
    }

    @AfterEach
    void close() throws RdmaException {
        end.close();
        kernel.assertClean();
    }

    @Test
    void aDispatcherRefusesAQueueWhoseReceivesCompleteElsewhere() throws Exception {
        try (CompletionDispatcher dispatcher = CompletionDispatcher.open(end.context())) {
            SharedReceiveQueue elsewhere =
                    xrcd.createSrq(end.pd(), end.context().createCq(15), SharedReceiveQueueOptions.DEFAULT);
            assertThatThrownBy(() -> dispatcher.attach(elsewhere)).hasMessageContaining("do not complete in");
        }
    }

    @ParameterizedTest
    @CardKind.WithXrc
    void rdmaReachesTheMemoryOfTheQueuesDomain(CardKind kind) throws Exception {
        reopen(kind.settings());
        ProtectionDomain other = end.context().allocatePd();
        ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        MemoryRegion there = other.registerMr(memory, XrcEnd.ALL);
        SharedReceiveQueue srq = xrcd.createSrq(other, end.cq(), SharedReceiveQueueOptions.DEFAULT);
        int srqn = srq.number();
        QueuePair initiator = end.connectedTo(xrcd.createQp());
        memory.putLong(8, 40);
        end.buffer().order(ByteOrder.nativeOrder()).putLong(0, 7);

        initiator.postSend(new SendWorkRequest(1)
                .toSrq(srqn)
                .rdmaWrite(there.iova(), there.rkey())
                .add(end.region(), 0, 8)
                .signaled());
        initiator.postSend(new SendWorkRequest(1)
                .toSrq(srqn)
                .fetchAndAdd(there.iova() + 8, there.rkey(), 2)
                .add(end.region(), 8, 8)
                .signaled());
        initiator.postSend(new SendWorkRequest(1)
                .toSrq(srqn)
                .rdmaRead(there.iova() + 8, there.rkey())
                .add(end.region(), 16, 8)
                .signaled());
        kernel.card().settle();

        for (int i = 0; i < 3; i++) {
            assertThat(end.poll().status()).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
        assertThat(memory.getLong(0)).isEqualTo(7);
        assertThat(end.buffer().getLong(8)).isEqualTo(40);
        assertThat(end.buffer().getLong(16)).isEqualTo(42);
    }

    /** A receive that fails names its target, and the queue goes on with the others. */
    @ParameterizedTest
    @CardKind.WithXrc
    void aReceiveThatIsTooShortFailsItsTargetOnly(CardKind kind) throws Exception {
        reopen(kind.settings());
        CompletionQueue cq = end.context().createCq(15);
        SharedReceiveQueue srq = xrcd.createSrq(end.pd(), cq, SharedReceiveQueueOptions.DEFAULT);
        QueuePair failing = xrcd.createQp();
        QueuePair healthy = xrcd.createQp();
        QueuePair left = end.connectedTo(failing);
        QueuePair right = end.connectedTo(healthy);
        srq.postReceive(end.receive(1));
        srq.postReceive(end.receive(2));
        left.postSend(new SendWorkRequest(1).wrId(7).send().toSrq(srq.number()).add(end.region(), 0, 100));
        left.postSend(end.send(8, srq.number()));
        kernel.card().settle();

        assertReceive(end.poll(cq), 1, WorkCompletionStatus.LOC_LEN_ERR, failing);
        assertThat(end.poll().status()).isEqualTo(WorkCompletionStatus.REM_INV_REQ_ERR);
        assertThat(end.poll().status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        assertThat(failing.query().state()).isEqualTo(QpState.ERR);
        right.postSend(end.send(9, srq.number()));
        kernel.card().settle();
        assertReceive(end.poll(cq), 2, WorkCompletionStatus.SUCCESS, healthy);
    }

    private static void assertReceive(
            WorkCompletion received, long wrId, WorkCompletionStatus status, QueuePair target) {
        assertThat(received.wrId()).isEqualTo(wrId);
        assertThat(received.status()).isEqualTo(status);
        assertThat(received.qpNumber()).isEqualTo(target.qpn());
    }

    @ParameterizedTest
    @CardKind.WithXrc
    void aQueueThatIsNotOfTheDomainIsRefused(CardKind kind) throws Exception {
        reopen(kind.settings());
        XrcDomain other = XrcDomain.open(end.context());
        SharedReceiveQueue foreign = end.shared(other);
        foreign.postReceive(end.receive(1));
        for (int srqn : new int[] {foreign.number(), 0xff_fffe}) {
            QueuePair target = xrcd.createQp();
            QueuePair initiator = end.connectedTo(target);

            initiator.postSend(end.send(100, srqn));
            kernel.card().settle();

            assertThat(end.poll().status()).isEqualTo(WorkCompletionStatus.REM_INV_REQ_ERR);
            AsyncEvent event =
                    end.context().awaitAsyncEvent(Duration.ofSeconds(30)).orElseThrow();
            assertThat(event.type()).isEqualTo(AsyncEventType.QP_REQ_ERR);
            assertThat(event.queuePair()).containsSame(target);
        }
    }

    /** As many queues, targets and messages as there is room for, at a pace that a seed chooses. */
    @ParameterizedTest
    @CardKind.WithXrc
    void keepsTheOrderOfEachInitiatorInEachQueue(CardKind kind) throws Exception {
        long seed = NewSeed.of("XrcTransferTest, " + kind);
        reopen(kind.settings().timing(Timing.hostile(seed)));
        Random random = new Random(seed);
        CompletionQueue cq = end.context().createCq(255);
        List<SharedReceiveQueue> queues = new ArrayList<>();
        List<QueuePair> targets = new ArrayList<>();
        List<QueuePair> initiators = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            queues.add(xrcd.createSrq(end.pd(), cq, SharedReceiveQueueOptions.DEFAULT));
            targets.add(xrcd.createQp());
            initiators.add(end.connectedTo(targets.get(i)));
        }
        Map<String, List<Long>> sent = new TreeMap<>();
        Map<String, List<Long>> received = new TreeMap<>();
        WorkCompletion[] completions = WorkCompletion.array(16);
        long value = 0;
        for (int round = 0; round < 500; round++) {
            for (int queue = 0; queue < 3; queue++) {
                queues.get(queue).tryPostReceive(end.receive(queue * 16 + round % 16));
            }
            int queue = random.nextInt(3);
            int target = random.nextInt(3);
            SendWorkRequest message =
                    end.send(++value, queues.get(queue).number()).sendWithImmediate((int) value);
            if (initiators.get(target).tryPostSend(message)) {
                sent.computeIfAbsent(targets.get(target).qpn() + " to " + queue, none -> new ArrayList<>())
                        .add(value);
            }
            kernel.card().step();
            end.cq().poll(completions);
            take(cq, completions, received);
        }
        drain(queues, cq, received);

        assertThat(received).isEqualTo(sent);
    }

    private void drain(List<SharedReceiveQueue> queues, CompletionQueue cq, Map<String, List<Long>> received) {
        WorkCompletion[] completions = WorkCompletion.array(16);
        for (int round = 0; round < 2000; round++) {
            queues.forEach(queue -> queue.tryPostReceive(end.receive(queues.indexOf(queue) * 16)));
            kernel.card().step();
            end.cq().poll(completions);
            take(cq, completions, received);
        }
    }

    /** A receive that is posted at {@code queue * 16} or behind is one of that queue. */
    private void take(CompletionQueue cq, WorkCompletion[] completions, Map<String, List<Long>> received) {
        int polled = cq.poll(completions);
        for (int i = 0; i < polled; i++) {
            assertThat(completions[i].opcode()).isEqualTo(WorkCompletionOpcode.RECV);
            assertThat(completions[i].isSuccess()).isTrue();
            assertThat(completions[i].byteLength()).isEqualTo(Long.BYTES);
            int slot = (int) completions[i].wrId();
            String from = completions[i].qpNumber() + " to " + slot / 16;
            received.computeIfAbsent(from, none -> new ArrayList<>()).add((long) completions[i].immediate());
        }
    }
}
