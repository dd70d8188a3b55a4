// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receives that several queue pairs take from. */
abstract class SharedReceiveQueueScenarios extends DeviceScenarios {
    private static final int SLOT = 64;

    private Datagrams device;
    private ProtectionDomain pd;
    private AhAttr way;
    private CompletionQueue sendCq;
    private CompletionQueue receiveCq;
    private SharedReceiveQueue srq;
    private MemoryRegion region;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final WorkCompletion[] one = WorkCompletion.array(1);

    final ProtectionDomain pd() {
        return pd;
    }

    @BeforeEach
    void open() throws Exception {
        device = openDevice();
        pd = device.pd();
        way = AhAttr.to(Datagrams.gid(Rxe.IPV4), device.gidIndex(Rxe.IPV4), Datagrams.PORT);
        sendCq = device.context().createCq(64);
        receiveCq = device.context().createCq(64);
        srq = pd.createSrq(SharedReceiveQueueOptions.builder().maxReceiveWr(20).build());
        region = pd.registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
    }

    @AfterEach
    void close() throws Exception {
        device.close();
    }

    private QueuePairOptions sharing() {
        return QueuePairOptions.builder().cq(receiveCq).srq(srq).build();
    }

    /** The sending end of a connection to a new queue pair that shares. */
    private Link link() throws RdmaException {
        QueuePair client = pd.createQp(QueuePairOptions.builder().cq(sendCq).build());
        QueuePair server = pd.createQp(sharing());
        RawConnection.connect(client, server, way);
        return new Link(client, server);
    }

    private final class Link {
        private final QueuePair client;
        private final QueuePair server;

        Link(QueuePair client, QueuePair server) {
            this.client = client;
            this.server = server;
        }

        void send(int content) throws RdmaException {
            buffer.putInt(0, content);
            client.postSend(
                    new SendWorkRequest(1).send().add(region, 0, Integer.BYTES).signaled());
            assertThat(next(sendCq).isSuccess()).isTrue();
        }
    }

    private WorkCompletion next(CompletionQueue cq) {
        Await.until("a completion", () -> cq.poll(one) == 1);
        return one[0];
    }

    private void receive(int wrId) throws RdmaException {
        srq.postReceive(new ReceiveWorkRequest(1).wrId(wrId).add(region, (long) wrId * SLOT, SLOT));
    }

    private void assertNext(int wrId, QueuePair of, int content) {
        WorkCompletion received = next(receiveCq);
        assertThat(received.isSuccess()).as("%s", received).isTrue();
        assertThat(received.wrId()).isEqualTo(wrId);
        assertThat(received.qpNumber()).isEqualTo(of.qpn());
        assertThat(buffer.getInt(wrId * SLOT)).isEqualTo(content);
    }

    @Test
    void givesItsReceivesToWhicheverQueuePairHasAMessage() throws Exception {
        Link first = link();
        Link second = link();
        for (int i = 1; i <= 4; i++) {
            receive(i);
        }
        assertHolds(4);
        first.send(11);
        assertNext(1, first.server, 11);
        assertHolds(3);
        second.send(22);
        assertNext(2, second.server, 22);
        second.send(33);
        assertNext(3, second.server, 33);
        first.send(44);
        assertNext(4, first.server, 44);
        assertHolds(0);
    }

    private void assertHolds(int receives) {
        assertThat(srq.holds(receives)).isTrue();
        assertThat(srq.holds(receives + 1)).isFalse();
    }

    @Test
    void wrapsAroundTheRingManyTimes() throws Exception {
        Link link = link();
        for (int i = 0; i < 5 * srq.capacity(); i++) {
            receive(1);
            link.send(i);
            assertNext(1, link.server, i);
        }
    }

    @Test
    void letsAMessageWaitForAReceive() throws Exception {
        Link link = link();
        link.client.postSend(new SendWorkRequest(0).send().signaled());
        receive(5);
        assertNext(5, link.server, 0);
        assertThat(next(sendCq).isSuccess()).isTrue();
    }

    @Test
    void servesDatagrams() throws Exception {
        QueuePair server = Datagrams.ready(
                pd.createQp(sharing().toBuilder().type(QueuePairType.UD).build()));
        Datagrams.Node client = device.node();
        srq.postReceive(new ReceiveWorkRequest(1).wrId(9).add(region, 0, Grh.BYTES + 8));
        client.qp().postSend(client.message(8).send().to(pd.createAh(way), server.qpn(), Datagrams.QKEY));
        WorkCompletion received = next(receiveCq);
        assertThat(received.wrId()).isEqualTo(9);
        assertThat(received.byteLength()).isEqualTo(Grh.BYTES + 8);
    }

    @Test
    void holdsWhatItWasMadeFor() throws Exception {
        assertThat(srq.capacity()).isEqualTo(20);
        assertThat(srq.maxSge()).isGreaterThanOrEqualTo(1);
        assertThat(srq.query().maxReceiveWr()).isGreaterThanOrEqualTo(20);
        assertThat(srq.query().limit()).isZero();
        for (int i = 0; i < srq.capacity(); i++) {
            assertThat(srq.tryPostReceive(new ReceiveWorkRequest(0))).isTrue();
        }
        assertThat(srq.tryPostReceive(new ReceiveWorkRequest(0))).isFalse();
        assertThatThrownBy(() -> srq.postReceive(new ReceiveWorkRequest(0)))
                .isInstanceOf(QueueFullException.class)
                .hasMessageContaining("SharedReceiveQueue");
    }

    @Test
    void tellsOnceWhenReceivesRunShort() throws Exception {
        Link link = link();
        for (int i = 1; i <= 3; i++) {
            receive(i);
        }
        srq.modifyLimit(2);
        assertThat(srq.query().limit()).isEqualTo(2);
        link.send(1);
        assertNext(1, link.server, 1);
        link.send(2);
        assertNext(2, link.server, 2);
        AsyncEvent event = device.context().awaitAsyncEvent(Await.LIMIT).orElseThrow();
        assertThat(srq.isLimitReached(event)).as("%s", event).isTrue();
        assertThat(pd.createSrq(SharedReceiveQueueOptions.DEFAULT).isLimitReached(event))
                .isFalse();
        assertThat(srq.query().limit()).isZero();
        link.send(3);
        assertNext(3, link.server, 3);
        assertThat(device.context().awaitAsyncEvent(Duration.ZERO)).isEqualTo(Optional.empty());
    }

    @Test
    void refusesALimitThatItCannotReach() {
        for (int limit : new int[] {srq.capacity() + 1, Integer.MAX_VALUE, -1}) {
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(() -> srq.modifyLimit(limit), () -> srq.holds(limit))) {
                assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("0 to 20");
            }
        }
    }

    @Test
    void refusesMorePiecesThanItTakes() throws Exception {
        ReceiveWorkRequest request = new ReceiveWorkRequest(srq.maxSge() + 1);
        for (int i = 0; i <= srq.maxSge(); i++) {
            request.add(region, 0, 1);
        }
        assertThatThrownBy(() -> srq.postReceive(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxReceiveSge");
    }

    @Test
    void leavesTheQueuePairWithoutAReceiveQueue() throws Exception {
        QueuePair qp = pd.createQp(sharing());
        assertThat(qp.capacities().maxReceiveWr()).isZero();
        assertThatThrownBy(() -> qp.postReceive(new ReceiveWorkRequest(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("post receives to its shared receive queue");
    }

    @Test
    void closesItsQueuePairsFirst() throws Exception {
        Link link = link();
        receive(1);
        srq.close();
        assertThat(link.server.isClosed()).isTrue();
        assertThat(link.client.isClosed()).isFalse();
        assertThat(pd.isClosed()).isFalse();
    }

    @Test
    void closesWithItsProtectionDomain() throws Exception {
        QueuePair qp = pd.createQp(sharing());
        pd.close();
        assertThat(srq.isClosed()).isTrue();
        assertThat(qp.isClosed()).isTrue();
    }
}
