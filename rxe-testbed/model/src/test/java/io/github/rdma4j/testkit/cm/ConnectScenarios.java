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
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testkit.cm.TwoSides.Pair;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How connections come about and end. */
abstract class ConnectScenarios {
    private final Place place;
    private TwoSides sides;

    ConnectScenarios(Place place) {
        this.place = place;
    }

    @BeforeEach
    void open() throws Exception {
        sides = TwoSides.on(place);
    }

    @AfterEach
    void close() throws Exception {
        sides.close();
        place.assertNothingLeft();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    // ---- connecting

    @Test
    void connectsWithoutQueuePairs() throws Exception {
        CmId client = sides.routed();
        client.connect(saying("hello"));
        assertThat(client.state()).isEqualTo(CmState.CONNECTING);
        CmEvent request = expect(sides.servers(), CmEventType.CONNECT_REQUEST);
        assertThat(text(request.privateData())).isEqualTo("hello");
        assertThat(request.privateData()).hasSize(ConnectionParameters.MAX_REQUEST_PRIVATE_DATA);
        CmId server = request.id();
        assertThat(server.state()).isEqualTo(CmState.REQUESTED);
        server.accept(saying("welcome"));
        assertThat(server.state()).isEqualTo(CmState.ACCEPTING);
        CmEvent response = expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
        assertThat(text(response.privateData())).isEqualTo("welcome");
        assertThat(client.state()).isEqualTo(CmState.RESPONDED);
        client.userManagedQp().establish();
        assertThat(client.state()).isEqualTo(CmState.ESTABLISHED);
        expect(sides.servers(), CmEventType.ESTABLISHED);
        assertThat(server.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void connectsWithQueuePairs() throws Exception {
        Pair pair = sides.connectedWithQps();
        assertThat(pair.client().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(pair.server().state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(pair.client().pd()).isSameAs(pair.server().pd());
    }

    @Test
    void bothSidesKnowBothAddresses() throws Exception {
        Pair pair = sides.connected();
        InetSocketAddress listening = sides.listener().localAddress().orElseThrow();
        assertThat(pair.client().peerAddress()).contains(listening);
        assertThat(pair.server().localAddress()).contains(listening);
        assertThat(pair.server().peerAddress())
                .isEqualTo(pair.client().localAddress())
                .isPresent();
        assertThat(pair.client().sourceGid()).isEqualTo(pair.client().destinationGid());
        assertThat(pair.client().paths()).hasSize(1);
        assertThat(pair.client().portNumber()).isEqualTo(1);
    }

    @Test
    void eachSideGetsThePeersCapabilities() throws Exception {
        CmId client = sides.routed();
        client.connect(TwoSides.parameters()
                .responderResources(3)
                .initiatorDepth(5)
                .retryCount(6)
                .rnrRetryCount(4)
                .build());
        CmEvent request = expect(sides.servers(), CmEventType.CONNECT_REQUEST);
        ConnectionParameters asked = request.connectionParameters().orElseThrow();
        assertThat(asked.responderResources()).isEqualTo(5);
        assertThat(asked.initiatorDepth()).isEqualTo(3);
        assertThat(asked.retryCount()).isEqualTo(6);
        assertThat(asked.rnrRetryCount()).isEqualTo(4);
        request.id()
                .accept(TwoSides.parameters()
                        .responderResources(2)
                        .initiatorDepth(1)
                        .build());
        CmEvent response = expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
        assertThat(response.connectionParameters().orElseThrow().responderResources())
                .isEqualTo(1);
        assertThat(response.connectionParameters().orElseThrow().initiatorDepth())
                .isEqualTo(2);
    }

    @Test
    void manyConnectionsOfOneListener() throws Exception {
        for (int i = 0; i < 8; i++) {
            sides.connected();
        }
        assertThat(sides.listener().state()).isEqualTo(CmState.LISTENING);
    }

    // ---- refusing

    @Test
    void noListenerOnThePort() throws Exception {
        CmId client = sides.routed();
        sides.listener().close();
        client.connect(saying("hello"));
        CmEvent event = expect(sides.clients(), CmEventType.REJECTED);
        assertThat(event.status()).isEqualTo(8);
        assertThat(client.state()).isEqualTo(CmState.REFUSED);
    }

    @Test
    void theServerRejects() throws Exception {
        Pair pair = sides.requested();
        pair.server().reject(bytes("not now"));
        assertThat(pair.server().state()).isEqualTo(CmState.REFUSED);
        CmEvent event = expect(sides.clients(), CmEventType.REJECTED);
        assertThat(event.status()).isEqualTo(28);
        assertThat(text(event.privateData())).isEqualTo("not now");
        assertThat(event.privateData()).hasSize(ConnectionParameters.MAX_REJECT_PRIVATE_DATA);
        assertThat(pair.client().state()).isEqualTo(CmState.REFUSED);
    }

    @Test
    void theEceDoesNotSuit() throws Exception {
        Pair pair = sides.requested();
        pair.server().rejectEce(bytes("not these"));
        CmEvent event = expect(sides.clients(), CmEventType.REJECTED);
        assertThat(event.status()).isEqualTo(35);
        assertThat(text(event.privateData())).isEqualTo("not these");
        assertThat(event.toException()).hasMessageContaining("vendor option");
    }

    @Test
    void theClientRejectsTheResponse() throws Exception {
        Pair pair = sides.responded();
        pair.client().reject(bytes("changed my mind"));
        assertThat(pair.client().state()).isEqualTo(CmState.REFUSED);
        CmEvent event = expect(sides.servers(), CmEventType.REJECTED);
        assertThat(event.status()).isEqualTo(28);
        assertThat(text(event.privateData())).isEqualTo("changed my mind");
        assertThat(pair.server().state()).isEqualTo(CmState.REFUSED);
    }

    @Test
    void aRejectedClientCannotConnectAgain() throws Exception {
        Pair pair = sides.requested();
        pair.server().reject(new byte[0]);
        expect(sides.clients(), CmEventType.REJECTED);
        assertThatThrownBy(() -> pair.client().connect(saying("again")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ROUTE_RESOLVED");
    }

    // ---- disconnecting

    @Test
    void theClientDisconnects() throws Exception {
        Pair pair = sides.connected();
        disconnect(pair.client(), pair.server());
    }

    @Test
    void theServerDisconnects() throws Exception {
        Pair pair = sides.connected();
        disconnect(pair.server(), pair.client());
    }

    private void disconnect(CmId first, CmId second) throws Exception {
        first.disconnect();
        assertThat(first.state()).isEqualTo(CmState.DISCONNECTING);
        assertThat(expect(second.channel(), CmEventType.DISCONNECTED).id()).isSameAs(second);
        assertThat(second.state()).isEqualTo(CmState.DISCONNECTED);
        second.disconnect();
        assertThat(expect(first.channel(), CmEventType.DISCONNECTED).id()).isSameAs(first);
        assertThat(first.state()).isEqualTo(CmState.DISCONNECTED);
        first.disconnect();
    }

    @Test
    void disconnectingAResponseDoesNothing() throws Exception {
        Pair pair = sides.responded();
        pair.client().disconnect();
        pair.client().close();
        assertThat(expect(sides.servers(), CmEventType.REJECTED).status()).isEqualTo(28);
    }

    // ---- closing at each step

    @Test
    void theClientClosesBeforeItIsAnswered() throws Exception {
        Pair pair = sides.requested();
        pair.client().close();
        // The request that the server has is void, and that shows when the server answers.
        awaitRefusal(pair.server());
    }

    private void awaitRefusal(CmId server) throws Exception {
        // The rejection is under way: another connection comes behind it.
        sides.connected();
        assertThatThrownBy(() -> server.accept(saying("too late")))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno().name()).isEqualTo("EINVAL"));
        assertThat(server.state()).isEqualTo(CmState.REQUESTED);
    }

    @Test
    void theServerClosesWithoutAnAnswer() throws Exception {
        Pair pair = sides.requested();
        pair.server().close();
        assertThat(expect(sides.clients(), CmEventType.REJECTED).status()).isEqualTo(28);
    }

    @Test
    void theServerClosesAfterItsAnswer() throws Exception {
        Pair pair = sides.responded();
        pair.server().close();
        assertThat(expect(sides.clients(), CmEventType.REJECTED).status()).isEqualTo(28);
        assertThat(pair.client().state()).isEqualTo(CmState.REFUSED);
    }

    @Test
    void theClientClosesInsteadOfConfirming() throws Exception {
        Pair pair = sides.responded();
        pair.client().close();
        assertThat(expect(sides.servers(), CmEventType.REJECTED).status()).isEqualTo(28);
    }

    @Test
    void theClientClosesTheConnection() throws Exception {
        Pair pair = sides.connectedWithQps();
        pair.client().close();
        assertThat(pair.client().state()).isEqualTo(CmState.DESTROYED);
        expect(sides.servers(), CmEventType.DISCONNECTED);
        pair.server().close();
    }

    @Test
    void theServerClosesTheConnection() throws Exception {
        Pair pair = sides.connectedWithQps();
        pair.server().close();
        expect(sides.clients(), CmEventType.DISCONNECTED);
    }

    @Test
    void closingTheListenerRejectsPendingRequests() throws Exception {
        sides.connecting();
        sides.awaitRequest();
        sides.listener().close();
        assertThat(expect(sides.clients(), CmEventType.REJECTED).status()).isEqualTo(28);
    }

    @Test
    void closingTheChannelRejectsPendingRequests() throws Exception {
        sides.connecting();
        sides.awaitRequest();
        sides.servers().close();
        assertThat(expect(sides.clients(), CmEventType.REJECTED).status()).isEqualTo(28);
        assertThat(sides.listener().state()).isEqualTo(CmState.DESTROYED);
    }

    @Test
    void closingTheListenerKeepsItsConnections() throws Exception {
        Pair pair = sides.connected();
        sides.listener().close();
        disconnect(pair.client(), pair.server());
    }

    @Test
    void aClosedIdRefusesEverything() throws Exception {
        CmId client = sides.routed();
        client.close();
        client.close();
        assertThatThrownBy(() -> client.connect(saying("hello"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.resolveRoute(TwoSides.RESOLVE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(client::disconnect).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.createQp(QueuePairOptions.DEFAULT)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void eventsOfAClosedIdDoNotCome() throws Exception {
        CmId client = sides.addressed();
        client.resolveRoute(TwoSides.RESOLVE);
        client.close();
        CmId other = sides.clients().createId(sides.listener().portSpace());
        other.resolveAddress(sides.listener().localAddress().orElseThrow(), TwoSides.RESOLVE);
        assertThat(expect(sides.clients(), CmEventType.ADDR_RESOLVED).id()).isSameAs(other);
        assertThat(sides.clients().awaitEvent(Duration.ZERO)).isEmpty();
    }

    @Test
    void aSecondQueuePairIsRefused() throws Exception {
        CmId client = sides.routed();
        client.createQp(QueuePairOptions.DEFAULT);
        assertThatThrownBy(() -> client.createQp(QueuePairOptions.DEFAULT)).isInstanceOf(IllegalStateException.class);
        client.queues().close();
        client.createQp(QueuePairOptions.DEFAULT);
    }
}
