// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Synchronous mode when things do not go well: each failure is an exception, and a wait can be ended. */
@RequiresKernel
class BlockingCmIdFailuresKernelIT {
    private static final Duration LIMIT = Await.LIMIT;
    private static final Duration SHORT = Duration.ofMillis(50);

    /** A queue pair that the kernel cannot make. */
    private static final QueuePairOptions IMPOSSIBLE =
            QueuePairOptions.builder().maxReceiveWr(100_000_000).build();

    private BlockingCmId listener;

    @BeforeEach
    void open() throws Exception {
        listener = BlockingCmId.create(PortSpace.TCP);
        listener.bind(Rxe.newAddress());
        listener.listen(8);
    }

    @AfterEach
    void close() throws Exception {
        listener.close();
    }

    private InetSocketAddress address() {
        return listener.id().localAddress().orElseThrow();
    }

    private BlockingCmId ready() throws RdmaException, InterruptedException {
        BlockingCmId client = BlockingCmId.create(PortSpace.TCP);
        client.resolveAddress(address(), LIMIT);
        client.resolveRoute(LIMIT);
        client.id().createQp(QueuePairOptions.DEFAULT);
        return client;
    }

    /** Both ends of a connection. */
    private record Pair(BlockingCmId client, BlockingCmId server) implements AutoCloseable {
        @Override
        public void close() throws RdmaException {
            client.close();
            server.close();
        }
    }

    private Pair connected() throws Exception {
        BlockingCmId client = ready();
        Await.Running<CmEvent> connecting = Await.inThread(() -> client.connect(ConnectionParameters.DEFAULT, LIMIT));
        BlockingCmId server = listener.getRequest(LIMIT);
        server.id().createQp(QueuePairOptions.DEFAULT);
        server.accept(ConnectionParameters.DEFAULT, LIMIT);
        assertThat(connecting.result().type()).isEqualTo(CmEventType.ESTABLISHED);
        return new Pair(client, server);
    }

    @Test
    void saysThatAPeerDoesNotAnswerAndTakesAnother() throws Exception {
        try (BlockingCmId client = BlockingCmId.create(PortSpace.TCP)) {
            assertThatThrownBy(
                            () -> client.resolveAddress(new InetSocketAddress(Rxe.SILENT, 1), Duration.ofMillis(300)))
                    .isInstanceOfSatisfying(CmEventException.class, e -> {
                        assertThat(e.type()).isEqualTo(CmEventType.ADDR_ERROR);
                        assertThat(e.status()).isEqualTo(-Errno.ETIMEDOUT.number());
                    });
            client.resolveAddress(address(), LIMIT);
            assertThat(client.id().state()).isEqualTo(CmState.ADDRESS_RESOLVED);
        }
    }

    @Test
    void reportsThePrivateDataOfARejection() throws Exception {
        try (BlockingCmId client = ready()) {
            Await.Running<CmEvent> connecting =
                    Await.inThread(() -> client.connect(ConnectionParameters.DEFAULT, LIMIT));
            try (BlockingCmId server = listener.getRequest(LIMIT)) {
                server.reject(new byte[] {42});
            }
            assertThat(connecting.failure())
                    .isInstanceOfSatisfying(
                            CmEventException.class, e -> assertThat(e.status()).isEqualTo(28));
            assertThat(client.lastEvent().orElseThrow().privateData()[0]).isEqualTo((byte) 42);
            assertThat(client.id().unacknowledgedEvents()).isZero();
        }
    }

    @Test
    void waitsForThePeersLastWordNoLongerThanAsked() throws Exception {
        try (BlockingCmId client = BlockingCmId.create(PortSpace.TCP)) {
            client.resolveAddress(address(), LIMIT);
            client.resolveRoute(LIMIT);
            client.id().connect(CmSides.withoutQp());
            try (BlockingCmId server = listener.getRequest(LIMIT)) {
                server.id().createQp(QueuePairOptions.DEFAULT);
                assertThatThrownBy(() -> server.accept(ConnectionParameters.DEFAULT, SHORT))
                        .isInstanceOf(CmTimeoutException.class)
                        .hasMessageContaining("ACCEPTING");
                Events.expect(client.id().channel(), CmEventType.CONNECT_RESPONSE);
                client.id().userManagedQp().establish();
                Events.expect(server.id().channel(), CmEventType.ESTABLISHED);
            }
        }
    }

    @Test
    void disconnectsAgainAfterATimeout() throws Exception {
        try (Pair pair = connected()) {
            assertThatThrownBy(() -> pair.client().disconnect(SHORT))
                    .isInstanceOf(CmTimeoutException.class)
                    .hasMessageContaining("DISCONNECTING");
            Await.Running<Boolean> again = Await.inThread(() -> {
                pair.client().disconnect(LIMIT);
                return true;
            });
            again.untilInside("poll");
            again.thread().interrupt();
            assertThat(again.failure()).isInstanceOf(InterruptedException.class);
            pair.server().disconnect(LIMIT);
            pair.client().disconnect(LIMIT);
            assertThat(pair.client().id().state()).isEqualTo(CmState.DISCONNECTED);
        }
    }

    @Test
    void disconnectsOverAndOverWithoutHangingAndLeavesLaterEventsAlone() throws Exception {
        try (Pair pair = connected()) {
            Await.Running<Boolean> other = Await.inThread(() -> {
                pair.server().disconnect(LIMIT);
                return true;
            });
            pair.client().disconnect(LIMIT);
            other.result();
            pair.client().disconnect(LIMIT);
            Await.until(
                    "the aftermath", () -> EventsWaiting.now(pair.client().id().channel()));
            pair.client().disconnect(LIMIT);
            assertThat(pair.client().lastEvent().orElseThrow().type()).isEqualTo(CmEventType.DISCONNECTED);
            Events.expect(pair.client().id().channel(), CmEventType.TIMEWAIT_EXIT);
        }
    }

    @Test
    void learnsOfThePeersEndWhenItEndsItself() throws Exception {
        try (Pair pair = connected()) {
            pair.client().id().disconnect();
            Await.until("the news", () -> EventsWaiting.now(pair.server().id().channel()));
            assertThat(pair.server().id().state()).isEqualTo(CmState.ESTABLISHED);
            pair.server().disconnect(LIMIT);
            assertThat(pair.server().id().state()).isEqualTo(CmState.DISCONNECTED);
            assertThat(pair.server().id().qp().orElseThrow().query().state()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void makesTheQueuePairsThatTheListenersOptionsSay() throws Exception {
        AddressInfo here = AddressInfo.resolve(
                        Rxe.IPV4, "0", AddressInfo.Hints.builder().passive(true).build())
                .get(0);
        QueuePairOptions options =
                QueuePairOptions.builder().maxSendWr(100).maxInline(64).build();
        try (BlockingCmId serving = here.createEndpoint(options, LIMIT)) {
            serving.listen(2);
            try (BlockingCmId client = active(serving)) {
                client.id().connect(ConnectionParameters.DEFAULT);
                try (BlockingCmId server = serving.getRequest(LIMIT)) {
                    assertThat(server.id().qp().orElseThrow().capacities().maxSendWr())
                            .isGreaterThanOrEqualTo(100);
                    assertThat(server.id().qp().orElseThrow().capacities().maxInline())
                            .isGreaterThanOrEqualTo(64);
                }
            }
        }
    }

    private static BlockingCmId active(BlockingCmId to) throws Exception {
        int port = to.id().localAddress().orElseThrow().getPort();
        return AddressInfo.resolve(Rxe.IPV4, Integer.toString(port), AddressInfo.Hints.DEFAULT)
                .get(0)
                .createEndpoint(QueuePairOptions.DEFAULT, LIMIT);
    }

    @Test
    void rejectsARequestThatNoQueuePairCanBeMadeFor() throws Exception {
        AddressInfo here = AddressInfo.resolve(
                        Rxe.IPV4, "0", AddressInfo.Hints.builder().passive(true).build())
                .get(0);
        try (BlockingCmId serving = here.createEndpoint(IMPOSSIBLE, LIMIT)) {
            serving.listen(2);
            try (BlockingCmId client = active(serving)) {
                int before = OpenResources.now().size();
                client.id().connect(ConnectionParameters.DEFAULT);
                assertThatThrownBy(() -> serving.getRequest(LIMIT)).isInstanceOf(RdmaException.class);
                assertThat(Events.expect(client.id().channel(), CmEventType.REJECTED)
                                .status())
                        .isEqualTo(28);
                assertThat(OpenResources.now()).hasSize(before);
            }
        }
    }

    @Test
    void keepsNothingOfAQueuePairThatCannotBeMade() throws Exception {
        try (BlockingCmId client = BlockingCmId.create(PortSpace.TCP)) {
            client.resolveAddress(address(), LIMIT);
            int before = OpenResources.now().size();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> client.id().createQp(IMPOSSIBLE)).isInstanceOf(RdmaException.class);
            }
            assertThat(client.id().qp()).isEmpty();
            assertThat(OpenResources.now()).hasSize(before);
            client.id().createQp(QueuePairOptions.DEFAULT);
        }
    }

    @Test
    void leavesNothingOpenOfAnEndpointThatCannotBeMade() throws Exception {
        int before = OpenResources.now().size();
        AddressInfo nowhere =
                AddressInfo.resolve("192.0.2.1", "1", AddressInfo.Hints.DEFAULT).get(0);
        assertThatThrownBy(() -> nowhere.createEndpoint(LIMIT)).isInstanceOf(ErrnoException.class);
        AddressInfo foreign = AddressInfo.resolve(
                        "192.0.2.1",
                        "1",
                        AddressInfo.Hints.builder().passive(true).build())
                .get(0);
        assertThatThrownBy(() -> foreign.createEndpoint(LIMIT)).isInstanceOf(ErrnoException.class);
        AddressInfo there = AddressInfo.resolve(
                        Rxe.IPV4, Integer.toString(address().getPort()), AddressInfo.Hints.DEFAULT)
                .get(0);
        assertThatThrownBy(() -> there.createEndpoint(IMPOSSIBLE, LIMIT)).isInstanceOf(RdmaException.class);
        assertThat(OpenResources.now()).hasSize(before);
    }

    @Test
    void makesAnActiveEndpointOverPathsThatAreKnown() throws Exception {
        try (BlockingCmId first = ready()) {
            AddressInfo.Hints hints = AddressInfo.Hints.builder()
                    .paths(first.id().paths())
                    .source(new InetSocketAddress(Rxe.IPV4, 0))
                    .build();
            AddressInfo there = AddressInfo.resolve(
                            Rxe.IPV4, Integer.toString(address().getPort()), hints)
                    .get(0);
            try (BlockingCmId client = there.createEndpoint(QueuePairOptions.DEFAULT, LIMIT)) {
                assertThat(client.id().state()).isEqualTo(CmState.ROUTE_RESOLVED);
                assertThat(client.id().paths()).isEqualTo(first.id().paths());
                client.id().connect(ConnectionParameters.DEFAULT);
                listener.getRequest(LIMIT).close();
            }
        }
    }

    @Test
    void connectsDatagramIdsWithoutWaitingForAnEstablishedEvent() throws Exception {
        AddressInfo.Hints datagrams =
                AddressInfo.Hints.builder().portSpace(PortSpace.UDP).build();
        AddressInfo here = AddressInfo.resolve(
                        Rxe.IPV4, "0", datagrams.toBuilder().passive(true).build())
                .get(0);
        try (BlockingCmId serving = here.createEndpoint(QueuePairOptions.DEFAULT, LIMIT)) {
            serving.listen(2);
            int port = serving.id().localAddress().orElseThrow().getPort();
            AddressInfo there = AddressInfo.resolve(Rxe.IPV4, Integer.toString(port), datagrams)
                    .get(0);
            try (BlockingCmId client = there.createEndpoint(QueuePairOptions.DEFAULT, LIMIT)) {
                Await.Running<CmEvent> connecting =
                        Await.inThread(() -> client.connect(ConnectionParameters.DEFAULT, LIMIT));
                try (BlockingCmId server = serving.getRequest(LIMIT)) {
                    server.accept(ConnectionParameters.DEFAULT, LIMIT);
                    assertThat(server.id().state()).isEqualTo(CmState.ESTABLISHED);
                    CmEvent established = connecting.result();
                    assertThat(established.datagramPeer().orElseThrow().qpn())
                            .isEqualTo(server.id().qp().orElseThrow().qpn());
                    client.disconnect(LIMIT);
                    server.disconnect(LIMIT);
                    client.disconnect(LIMIT);
                }
            }
        }
    }

    private static InetSocketAddress group(int last) {
        return new InetSocketAddress("239.77.3." + last, 0);
    }

    @Test
    void waitsForTheGroupThatItJoinsAndNotForAnother() throws Exception {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            GroupMembership other = id.id().multicast().join(group(1));
            GroupMembership joined = id.joinMulticast(group(2), GroupMembership.Mode.FULL_MEMBER, LIMIT);
            assertThat(id.lastEvent().orElseThrow().membership()).containsSame(joined);
            assertThat(joined.peer()).isPresent();
            assertThat(other.peer()).isPresent();
            joined.close();
            other.close();
        }
    }

    @Test
    void isInNoGroupWhenTheJoinHasFailed() throws Exception {
        try (BlockingCmId id = BlockingCmId.create(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            id.id().createQp(QueuePairOptions.DEFAULT);
            // Not a group: the queue pair cannot be attached to it.
            assertThatThrownBy(() -> id.joinMulticast(
                            new InetSocketAddress(Rxe.SILENT, 0), GroupMembership.Mode.FULL_MEMBER, LIMIT))
                    .isInstanceOfSatisfying(
                            CmEventException.class, e -> assertThat(e.type()).isEqualTo(CmEventType.MULTICAST_ERROR));
            assertThat(id.id().multicast().memberships()).isEmpty();
            id.joinMulticast(group(4), GroupMembership.Mode.FULL_MEMBER, LIMIT);
        }
    }
}
