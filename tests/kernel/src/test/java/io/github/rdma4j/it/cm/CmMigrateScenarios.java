// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code rdma_migrate_id(3)}. */
abstract class CmMigrateScenarios {
    private EventChannel first;
    private EventChannel second;
    private CmId listener;

    @BeforeEach
    void open() throws RdmaException {
        first = EventChannel.open();
        second = EventChannel.open();
        listener = Loopback.listen(first, Rxe.IPV4);
    }

    @AfterEach
    void close() throws RdmaException {
        first.close();
        second.close();
    }

    private CmId resolving(EventChannel channel) throws RdmaException {
        CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(listener.localAddress().orElseThrow(), Loopback.RESOLVE);
        return id;
    }

    /** The kernel moves the events without waking who sleeps in poll(2) on the new descriptor. */
    @Test
    void wakesThreadsThatWaitOnTheNewChannelForMovedEvents() throws Exception {
        CmId id = resolving(first);
        Await.until("the event waits", () -> EventsWaiting.now(first));
        Await.Running<CmEvent> waiting = Await.inThread(second::awaitEvent);
        Sleeps.untilPolling(waiting.thread());
        id.migrate(second);
        try (CmEvent event = waiting.result()) {
            assertThat(event.type()).isEqualTo(CmEventType.ADDR_RESOLVED);
            assertThat(event.id()).isSameAs(id);
        }
    }

    private CmId datagrams(EventChannel channel) throws RdmaException {
        CmId id = channel.createId(PortSpace.UDP);
        id.bind(new InetSocketAddress(Rxe.IPV4, 0));
        return id;
    }

    private static InetSocketAddress group(int last) {
        return new InetSocketAddress("239.77.2." + last, 0);
    }

    @Test
    void keepsTheOrderOfTheEventsOfEachId() throws Exception {
        int ids = 3;
        int groups = 4;
        List<CmId> moved = new ArrayList<>();
        for (int i = 0; i < ids; i++) {
            CmId id = datagrams(first);
            moved.add(id);
            for (int g = 1; g <= groups; g++) {
                id.multicast().join(group(g), GroupMembership.Mode.SEND_ONLY_FULL_MEMBER, g);
            }
        }
        Await.until("events wait", () -> EventsWaiting.now(first));
        for (CmId id : moved) {
            id.migrate(second);
        }
        assertThat(first.pollEvent()).isEmpty();
        Map<CmId, Integer> joined = new HashMap<>();
        for (int i = 0; i < ids * groups; i++) {
            CmEvent event = Events.expect(second, CmEventType.MULTICAST_JOIN);
            Object expected = joined.merge(event.id(), 1, Integer::sum);
            assertThat(event.membership().orElseThrow().context()).contains(expected);
        }
        assertThat(joined)
                .hasSize(ids)
                .allSatisfy((id, events) -> assertThat(events).isEqualTo(groups));
    }

    @Test
    void takesAWholeConnectionsEventsAlongInOrder() throws Exception {
        try (CmSides sides = CmSides.open()) {
            CmSides.Pair pair = sides.requested();
            pair.server().accept(ConnectionParameters.DEFAULT);
            Events.expect(sides.clients(), CmEventType.ESTABLISHED);
            pair.client().close();
            pair.server().migrate(second);
            assertThat(sides.servers().pollEvent()).isEmpty();
            assertThat(Events.expect(second, CmEventType.ESTABLISHED).id()).isSameAs(pair.server());
            assertThat(Events.expect(second, CmEventType.DISCONNECTED).id()).isSameAs(pair.server());
            pair.server().close();
        }
    }

    @Test
    void takesAConnectingIdAlong() throws Exception {
        try (CmSides sides = CmSides.open()) {
            CmSides.Pair pair = sides.requested();
            pair.client().migrate(second);
            pair.server().accept(ConnectionParameters.DEFAULT);
            assertThat(Events.expect(second, CmEventType.ESTABLISHED).id()).isSameAs(pair.client());
            Events.expect(sides.servers(), CmEventType.ESTABLISHED);
            assertThat(pair.client().qp().orElseThrow().query().state()).isEqualTo(QpState.RTS);
        }
    }

    @Test
    void takesMembershipsAlongJoinedOrNot() throws Exception {
        CmId id = datagrams(first);
        GroupMembership joined = id.multicast().join(group(1));
        Events.expect(first, CmEventType.MULTICAST_JOIN);
        GroupMembership joining = id.multicast().join(group(2));
        id.migrate(second);
        assertThat(Events.expect(second, CmEventType.MULTICAST_JOIN).membership())
                .containsSame(joining);
        joined.close();
        GroupMembership later = id.multicast().join(group(3));
        assertThat(Events.expect(second, CmEventType.MULTICAST_JOIN).membership())
                .containsSame(later);
        id.multicast().leave(group(2));
        assertThat(id.multicast().memberships()).containsExactly(later);
    }

    @Test
    void isReadyAtOnceAfterAGroupWasLeftWhoseEventWasNeverRetrieved() throws Exception {
        CmId id = datagrams(first);
        id.multicast().join(group(1));
        Await.until("the event waits", () -> EventsWaiting.now(first));
        id.multicast().leave(group(1));
        id.migrate(second);
        assertThat(id.channel()).isSameAs(second);
    }

    private CmId connecting(EventChannel clients) throws RdmaException, InterruptedException {
        CmId client = Loopback.routed(clients, listener.localAddress().orElseThrow());
        client.connect(CmSides.withoutQp());
        return client;
    }

    private static void assertServes(EventChannel on, EventChannel clients, int requests) throws Exception {
        List<CmId> servers = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            servers.add(Events.expect(on, CmEventType.CONNECT_REQUEST).id());
        }
        for (CmId server : servers) {
            assertThat(server.channel()).isSameAs(on);
            server.accept(CmSides.withoutQp());
            Events.expect(clients, CmEventType.CONNECT_RESPONSE)
                    .id()
                    .userManagedQp()
                    .establish();
            assertThat(Events.expect(on, CmEventType.ESTABLISHED).id()).isSameAs(server);
        }
    }

    @Test
    void keepsRequestsThatWaitThoughTheChannelsThatWereLeftAreClosed() throws Exception {
        try (EventChannel clients = EventChannel.open();
                EventChannel third = EventChannel.open()) {
            connecting(clients);
            Await.until("the request waits", () -> EventsWaiting.now(first));
            listener.migrate(second);
            first.close();
            connecting(clients);
            listener.migrate(third);
            second.close();
            connecting(clients);
            assertServes(third, clients, 3);
            int open = OpenResources.now().size();
            listener.close();
            assertThat(OpenResources.now()).hasSize(open - 2);
        }
    }

    @Test
    void keepsRequestsThatWaitOnAChannelOfTheListenersOwn() throws Exception {
        BlockingCmId blocking = BlockingCmId.of(listener, Await.LIMIT);
        try (EventChannel clients = EventChannel.open()) {
            connecting(clients);
            Await.until("the request waits", () -> EventsWaiting.now(listener.channel()));
            assertThat(blocking.toChannel(second, Await.LIMIT)).isSameAs(listener);
            assertServes(second, clients, 1);
        }
    }

    @Test
    void rejectsRequestsThatWaitWhenTheListenerIsClosedAfterItHasMoved() throws Exception {
        try (EventChannel clients = EventChannel.open()) {
            connecting(clients);
            Await.until("the request waits", () -> EventsWaiting.now(first));
            listener.migrate(second);
            listener.close();
            assertThat(Events.expect(clients, CmEventType.REJECTED).status()).isEqualTo(28);
        }
    }

    @Test
    void hasMovedWhenTheWaitIsInterrupted() throws Exception {
        CmId id = resolving(first);
        CmEvent event = first.awaitEvent(Await.LIMIT).orElseThrow();
        Await.Running<String> waiting = Await.inThread(() -> {
            id.migrate(second);
            return "done";
        });
        waiting.untilInside("await");
        waiting.thread().interrupt();
        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        assertThat(id.channel()).isSameAs(second);
        event.ack();
        id.resolveRoute(Loopback.RESOLVE);
        Events.expect(second, CmEventType.ROUTE_RESOLVED);
    }

    @Test
    void movesToNoChannelAndBackWhileConnected() throws Exception {
        try (CmSides sides = CmSides.open()) {
            CmSides.Pair pair = sides.connected();
            BlockingCmId blocking = BlockingCmId.of(pair.client(), Await.LIMIT);
            assertThatThrownBy(() -> blocking.disconnect(Duration.ofMillis(10))).isInstanceOf(CmTimeoutException.class);
            assertThat(blocking.toChannel(second, Await.LIMIT)).isSameAs(pair.client());
            Events.expect(sides.servers(), CmEventType.DISCONNECTED);
            pair.server().disconnect();
            assertThat(Events.expect(second, CmEventType.DISCONNECTED).id()).isSameAs(pair.client());
        }
    }
}
