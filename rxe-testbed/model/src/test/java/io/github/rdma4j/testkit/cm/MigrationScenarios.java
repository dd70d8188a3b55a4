// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static io.github.rdma4j.testkit.cm.TwoSides.saying;
import static io.github.rdma4j.testkit.cm.TwoSides.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.testkit.cm.TwoSides.Pair;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids that move from channel to channel. */
abstract class MigrationScenarios {
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final Place place;
    private TwoSides sides;
    private EventChannel elsewhere;

    MigrationScenarios(Place place) {
        this.place = place;
    }

    @BeforeEach
    void open() throws Exception {
        sides = TwoSides.on(place);
        elsewhere = EventChannel.open(place.kernel());
    }

    @AfterEach
    void close() throws Exception {
        elsewhere.close();
        sides.close();
        place.assertNothingLeft();
    }

    @Test
    void movesEventsThatWereNotRetrieved() throws Exception {
        CmId client = sides.addressed();
        client.resolveRoute(TwoSides.RESOLVE);
        client.migrate(elsewhere, TwoSides.LIMIT);
        assertThat(client.channel()).isSameAs(elsewhere);
        assertThat(expect(elsewhere, CmEventType.ROUTE_RESOLVED).id()).isSameAs(client);
        assertThat(client.state()).isEqualTo(CmState.ROUTE_RESOLVED);
        assertThat(sides.clients().awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void movesAtEachStepOfAConnection() throws Exception {
        CmId client = sides.connecting();
        client.migrate(elsewhere, TwoSides.LIMIT);
        CmId server = sides.request();
        server.migrate(elsewhere, TwoSides.LIMIT);
        server.accept(saying("welcome"));
        client.migrate(sides.clients(), TwoSides.LIMIT);
        expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
        client.migrate(elsewhere, TwoSides.LIMIT);
        client.userManagedQp().establish();
        assertThat(expect(elsewhere, CmEventType.ESTABLISHED).id()).isSameAs(server);
        server.migrate(sides.servers(), TwoSides.LIMIT);
        server.disconnect();
        assertThat(expect(elsewhere, CmEventType.DISCONNECTED).id()).isSameAs(client);
        client.disconnect();
        assertThat(expect(sides.servers(), CmEventType.DISCONNECTED).id()).isSameAs(server);
    }

    @Test
    void movesToWhereItIs() throws Exception {
        CmId client = sides.routed();
        client.migrate(sides.clients(), TwoSides.LIMIT);
        assertThat(client.channel()).isSameAs(sides.clients());
        client.connect(saying("hello"));
        sides.request();
    }

    @Test
    void aListenerTakesItsRequestsAlong() throws Exception {
        CmId client = sides.connecting();
        sides.listener().migrate(elsewhere, TwoSides.LIMIT);
        CmEvent request = expect(elsewhere, CmEventType.CONNECT_REQUEST);
        assertThat(text(request.privateData())).isEqualTo("hello");
        assertThat(request.id().channel()).isSameAs(elsewhere);
        assertThat(request.id().peerAddress()).isEqualTo(client.localAddress());
        request.id().accept(saying("welcome"));
        expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
        client.userManagedQp().establish();
        expect(elsewhere, CmEventType.ESTABLISHED);
    }

    @Test
    void aRequestOutlivesTheChannelThatItCameTo() throws Exception {
        sides.connecting();
        sides.listener().migrate(elsewhere, TwoSides.LIMIT);
        sides.servers().close();
        CmEvent request = expect(elsewhere, CmEventType.CONNECT_REQUEST);
        request.id().accept(saying("welcome"));
        expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
    }

    @Test
    void aListenerGetsLaterRequestsThere() throws Exception {
        sides.listener().migrate(elsewhere, TwoSides.LIMIT);
        sides.connecting();
        sides.connecting();
        expect(elsewhere, CmEventType.CONNECT_REQUEST);
        expect(elsewhere, CmEventType.CONNECT_REQUEST);
        assertThat(sides.servers().awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void aConnectionStaysWhereItsListenerWas() throws Exception {
        Pair pair = sides.connected();
        sides.listener().migrate(elsewhere, TwoSides.LIMIT);
        assertThat(pair.server().channel()).isSameAs(sides.servers());
        pair.client().disconnect();
        expect(sides.servers(), CmEventType.DISCONNECTED);
    }

    @Test
    void waitsForAcknowledgements() throws Exception {
        CmId client = sides.addressed();
        client.resolveRoute(TwoSides.RESOLVE);
        CmEvent event = sides.clients().awaitEvent(TwoSides.LIMIT).orElseThrow();
        assertThat(client.unacknowledgedEvents()).isEqualTo(1);
        assertThatThrownBy(() -> client.migrate(elsewhere, AT_ONCE))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("1 of its events");
        assertThat(client.channel()).isSameAs(elsewhere);
        event.ack();
        client.migrate(sides.clients(), TwoSides.LIMIT);
        assertThat(client.channel()).isSameAs(sides.clients());
    }

    @Test
    void doesNotMoveToAClosedChannel() throws Exception {
        CmId client = sides.routed();
        elsewhere.close();
        assertThatThrownBy(() -> client.migrate(elsewhere, TwoSides.LIMIT)).isInstanceOf(IllegalStateException.class);
        assertThat(client.channel()).isSameAs(sides.clients());
        client.connect(saying("hello"));
        sides.request();
    }

    @Test
    void closingTheOldChannelDoesNotCloseMigratedIds() throws Exception {
        CmId client = sides.routed();
        client.migrate(elsewhere, TwoSides.LIMIT);
        sides.clients().close();
        client.connect(saying("hello"));
        sides.request();
        elsewhere.close();
        assertThat(client.state()).isEqualTo(CmState.DESTROYED);
    }

    @Test
    void aClosedIdDoesNotMove() throws Exception {
        CmId client = sides.routed();
        client.close();
        assertThatThrownBy(() -> client.migrate(elsewhere, TwoSides.LIMIT)).isInstanceOf(IllegalStateException.class);
    }
}
