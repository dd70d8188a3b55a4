// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue pair with protection domain, channel and completion queue: one close, and nothing left after a failure. */
abstract class CmQueuesScenarios {
    private static final Duration LIMIT = Await.LIMIT;

    private final WorkCompletion[] one = WorkCompletion.array(1);
    private BlockingCmId listener;
    private BlockingCmId client;

    @BeforeEach
    void resolve() throws Exception {
        listener = BlockingCmId.create(PortSpace.TCP);
        listener.bind(Rxe.newAddress());
        listener.listen(1);
        client = BlockingCmId.create(PortSpace.TCP);
        client.resolveAddress(listener.id().localAddress().orElseThrow(), LIMIT);
        client.resolveRoute(LIMIT);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        listener.close();
    }

    @Test
    @SuppressWarnings("try") // closing twice is what is tried
    void sendsReceivesAndEndsWithTheId() throws Exception {
        try (CmQueues mine = client.queues().createOwn(QueuePairOptions.DEFAULT)) {
            Await.Running<?> connecting = Await.inThread(() -> client.connect(ConnectionParameters.DEFAULT, LIMIT));
            try (BlockingCmId server = listener.getRequest(LIMIT)) {
                CmQueues theirs = server.queues().createOwn(QueuePairOptions.DEFAULT);
                ByteBuffer into = ByteBuffer.allocateDirect(8);
                MemoryRegion target = theirs.registerMessages(into);
                theirs.postReceive(1, target, 0, 8);
                server.accept(ConnectionParameters.DEFAULT, LIMIT);
                connecting.result();
                MemoryRegion source =
                        mine.registerMessages(ByteBuffer.allocateDirect(8).putLong(0, 42));
                mine.postSend(2, source, 0, 8);
                assertThat(theirs.await(one, LIMIT)).isEqualTo(1);
                assertThat(one[0].isSuccess()).isTrue();
                assertThat(into.getLong(0)).isEqualTo(42);
                assertThat(mine.await(one)).isEqualTo(1);
                assertThat(mine.await(one, Duration.ofMillis(5))).isZero();
                ProtectionDomain own = theirs.pd();
                server.close();
                assertThat(target.isClosed()).isTrue();
                assertThat(own.isClosed()).isTrue();
                theirs.close();
            }
        }
    }

    @Test
    void leavesTheIdOpenForOtherQueues() throws Exception {
        CmQueues first = client.queues().createOwn(QueuePairOptions.DEFAULT);
        QueuePair pair = first.qp();
        assertThat(client.id().qp()).containsSame(pair);
        first.close();
        first.close();
        assertThat(pair.isClosed()).isTrue();
        assertThat(client.id().qp()).isEmpty();
        CmQueues second = client.queues().createOwn(QueuePairOptions.DEFAULT);
        assertThat(second.qp()).isNotSameAs(pair);
        assertThat(client.id().qp()).containsSame(second.qp());
        Await.Running<?> waiting = Await.inThread(() -> second.await(one)).untilInside("sleep");
        second.close();
        assertThat(waiting.failure()).isInstanceOf(ClosedWhileWaitingException.class);
    }

    /** The shared device is closed with its last user, unless something made on it is left. */
    @Test
    void leavesNothingWhenItFails() throws Exception {
        DeviceContext context = client.id().context();
        QueuePairOptions tooMany =
                QueuePairOptions.builder().maxSendSge(1 << 20).build();
        assertThatThrownBy(() -> client.queues().createOwn(tooMany)).isInstanceOf(Exception.class);
        assertThat(client.id().qp()).isEmpty();
        try (CmQueues queues = client.queues().createOwn(QueuePairOptions.DEFAULT)) {
            assertThatThrownBy(() -> client.queues().createOwn(QueuePairOptions.DEFAULT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("already has a queue pair");
            assertThat(queues.qp().isClosed()).isFalse();
            assertThat(queues.cq().isClosed()).isFalse();
            QueuePairOptions withCq = QueuePairOptions.builder().cq(queues.cq()).build();
            assertThatThrownBy(() -> client.queues().createOwn(withCq))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("completion queue");
        }
        ProtectionDomain shared = client.id().pd();
        client.close();
        listener.close();
        assertThat(shared.isClosed()).isTrue();
        assertThat(context.isClosed()).as("nothing is left on the device").isTrue();
    }
}
