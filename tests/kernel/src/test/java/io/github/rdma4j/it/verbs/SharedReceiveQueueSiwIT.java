// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receives that the queue pairs of several connections take from, on soft-iWARP. */
@RequiresSiw
class SharedReceiveQueueSiwIT {
    private static final int SLOT = 64;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final WorkCompletion[] one = WorkCompletion.array(1);

    private CmSides sides;
    private SharedReceiveQueue srq;
    private CompletionQueue sendCq;
    private CompletionQueue receiveCq;
    private MemoryRegion region;

    /** Both ends of a connection whose server takes its receives from the shared queue. */
    private record Link(CmId client, QueuePair sender, QueuePair receiver) {}

    @BeforeEach
    void open() throws Exception {
        sides = CmSides.open();
        CmId owner = sides.routed();
        sendCq = owner.context().createCq(64);
        receiveCq = owner.context().createCq(64);
        srq = owner.createSrq(
                SharedReceiveQueueOptions.builder().maxReceiveWr(20).build());
        region = owner.pd().registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
    }

    @AfterEach
    void close() throws Exception {
        region.close();
        receiveCq.close();
        sendCq.close();
        sides.close();
    }

    private Link link() throws Exception {
        CmId client = sides.routed();
        client.createQp(QueuePairOptions.builder().cq(sendCq).build());
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = sides.request();
        server.createQp(QueuePairOptions.builder().cq(receiveCq).srq(srq).build());
        server.accept(ConnectionParameters.DEFAULT);
        Events.expect(sides.clients(), CmEventType.ESTABLISHED);
        Events.expect(sides.servers(), CmEventType.ESTABLISHED);
        return new Link(client, client.qp().orElseThrow(), server.qp().orElseThrow());
    }

    private WorkCompletion next(CompletionQueue cq) {
        Await.until("a completion", () -> cq.poll(one) == 1);
        return one[0];
    }

    private void send(Link link, int content) throws Exception {
        buffer.putInt(0, content);
        link.sender.postSend(new SendWorkRequest(1).send().add(region, 0, 4).signaled());
        assertThat(next(sendCq).isSuccess()).isTrue();
    }

    private void receive(int wrId) throws Exception {
        srq.postReceive(new ReceiveWorkRequest(1).wrId(wrId).add(region, (long) wrId * SLOT, SLOT));
    }

    private void assertNext(int wrId, Link of, int content) {
        WorkCompletion received = next(receiveCq);
        assertThat(received.isSuccess()).as("%s", received).isTrue();
        assertThat(received.wrId()).isEqualTo(wrId);
        assertThat(received.qpNumber()).isEqualTo(of.receiver.qpn());
        assertThat(buffer.getInt(wrId * SLOT)).isEqualTo(content);
    }

    @Test
    void givesItsReceivesToWhicheverConnectionHasAMessage() throws Exception {
        Link first = link();
        Link second = link();
        for (int i = 1; i <= 3; i++) {
            receive(i);
        }
        send(first, 11);
        assertNext(1, first, 11);
        send(second, 22);
        assertNext(2, second, 22);
        send(first, 33);
        assertNext(3, first, 33);
        for (int i = 0; i < 3 * srq.capacity(); i++) {
            receive(1);
            send(second, i);
            assertNext(1, second, i);
        }
    }

    @Test
    void holdsWhatItWasMadeForAndTellsWhenReceivesRunShort() throws Exception {
        Link link = link();
        assertThat(srq.capacity()).isEqualTo(20);
        assertThat(srq.query().maxReceiveWr()).isEqualTo(32);
        for (int i = 0; i < srq.capacity(); i++) {
            assertThat(srq.tryPostReceive(new ReceiveWorkRequest(1).wrId(i).add(region, SLOT, SLOT)))
                    .isTrue();
        }
        assertThat(srq.tryPostReceive(new ReceiveWorkRequest(0))).isFalse();
        srq.modifyLimit(18);
        for (int i = 0; i < 4; i++) {
            send(link, i);
            assertThat(next(receiveCq).wrId()).isEqualTo(i);
        }
        AsyncEvent event = link.client.context().awaitAsyncEvent(Await.LIMIT).orElseThrow();
        assertThat(srq.isLimitReached(event)).as("%s", event).isTrue();
    }

    /** The receives belong to the shared queue, and the next connection takes them. */
    @Test
    void keepsItsReceivesWhenAConnectionFails() throws Exception {
        Link first = link();
        Link second = link();
        receive(1);
        first.receiver.moveToError();
        send(second, 7);
        assertNext(1, second, 7);
    }
}
