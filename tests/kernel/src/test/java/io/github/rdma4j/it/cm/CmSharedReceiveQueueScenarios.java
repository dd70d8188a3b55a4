// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections whose queue pairs take their receives from one queue. */
abstract class CmSharedReceiveQueueScenarios {
    private CmSides sides;

    @BeforeEach
    void open() throws RdmaException {
        sides = CmSides.open();
    }

    @AfterEach
    void close() throws RdmaException {
        sides.close();
    }

    /** Accepts the next request, and returns what the client hears. */
    private CmEvent established(CmId server) throws RdmaException, InterruptedException {
        server.accept(ConnectionParameters.DEFAULT);
        CmEvent event = Events.expect(sides.clients(), CmEventType.ESTABLISHED);
        Events.expect(sides.servers(), CmEventType.ESTABLISHED);
        return event;
    }

    private static void send(CmId client, int content) throws RdmaException, InterruptedException {
        CmQueues queues = client.queues();
        ByteBuffer message = ByteBuffer.allocateDirect(Integer.BYTES).putInt(0, content);
        try (MemoryRegion region = queues.registerMessages(message)) {
            queues.postSend(1, region, 0, Integer.BYTES);
            assertThat(queues.awaitSendCompletion(Await.LIMIT).orElseThrow().isSuccess())
                    .isTrue();
        }
    }

    @Test
    void servesTwoConnections() throws Exception {
        CmId oneClient = sides.connecting();
        CmId one = sides.request();
        SharedReceiveQueue srq = one.createSrq(SharedReceiveQueueOptions.DEFAULT);
        assertThat(one.srq()).containsSame(srq);
        one.createQp(QueuePairOptions.DEFAULT);
        CmEvent first = established(one);
        CmId otherClient = sides.connecting();
        CmId other = sides.request();
        other.createQp(QueuePairOptions.builder().srq(srq).build());
        CmEvent second = established(other);
        assertThat(first.connectionParameters().orElseThrow().sharedReceiveQueue())
                .isTrue();
        assertThat(second.connectionParameters().orElseThrow().sharedReceiveQueue())
                .isTrue();
        CmQueues queues = one.queues();
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        try (MemoryRegion region = queues.registerMessages(memory)) {
            queues.postReceive(10, region, 0, 32);
            queues.postReceive(11, region, 32, 32);
            send(otherClient, 22);
            WorkCompletion atOther =
                    other.queues().awaitReceiveCompletion(Await.LIMIT).orElseThrow();
            assertThat(atOther.wrId()).isEqualTo(10);
            assertThat(memory.getInt(0)).isEqualTo(22);
            send(oneClient, 11);
            assertThat(queues.awaitReceiveCompletion(Await.LIMIT).orElseThrow().wrId())
                    .isEqualTo(11);
            assertThat(memory.getInt(32)).isEqualTo(11);
        }
    }

    @Test
    void tellsThePeerOfTheClientsToo() throws Exception {
        CmId client = sides.routed();
        client.createSrq(SharedReceiveQueueOptions.DEFAULT);
        client.createQp(QueuePairOptions.DEFAULT);
        client.connect(ConnectionParameters.DEFAULT);
        CmEvent request = Events.expect(sides.servers(), CmEventType.CONNECT_REQUEST);
        assertThat(request.connectionParameters().orElseThrow().sharedReceiveQueue())
                .isTrue();
    }

    @Test
    void isNotSaidOfAQueuePairThatWasThereBefore() throws Exception {
        CmId client = sides.routed();
        client.createQp(QueuePairOptions.DEFAULT);
        client.createSrq(SharedReceiveQueueOptions.DEFAULT);
        client.connect(ConnectionParameters.DEFAULT);
        CmEvent request = Events.expect(sides.servers(), CmEventType.CONNECT_REQUEST);
        assertThat(request.connectionParameters().orElseThrow().sharedReceiveQueue())
                .isFalse();
    }

    @Test
    void isOneAnIdUntilItIsClosed() throws Exception {
        CmId client = sides.routed();
        SharedReceiveQueue first = client.createSrq(SharedReceiveQueueOptions.DEFAULT);
        assertThatThrownBy(() -> client.createSrq(SharedReceiveQueueOptions.DEFAULT))
                .isInstanceOf(IllegalStateException.class);
        first.close();
        SharedReceiveQueue second = client.createSrq(SharedReceiveQueueOptions.DEFAULT);
        client.close();
        assertThat(second.isClosed()).isTrue();
    }

    @Test
    void needsADevice() throws Exception {
        assertThatThrownBy(() -> sides.clients()
                        .createId(sides.listener().portSpace())
                        .createSrq(SharedReceiveQueueOptions.DEFAULT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not bound to an RDMA device");
    }
}
