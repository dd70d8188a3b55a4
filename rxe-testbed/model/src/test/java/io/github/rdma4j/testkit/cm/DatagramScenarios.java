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
import io.github.rdma4j.cm.PortSpace;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Datagram ids: who is asked answers, and that is all. */
abstract class DatagramScenarios {
    private final Place place;
    private TwoSides sides;

    DatagramScenarios(Place place) {
        this.place = place;
    }

    @BeforeEach
    void open() throws Exception {
        sides = TwoSides.on(place, PortSpace.UDP);
    }

    @AfterEach
    void close() throws Exception {
        sides.close();
        place.assertNothingLeft();
    }

    @Test
    void theServerAnswers() throws Exception {
        CmId client = sides.connecting();
        CmEvent request = expect(sides.servers(), CmEventType.CONNECT_REQUEST);
        assertThat(text(request.privateData())).isEqualTo("hello");
        assertThat(request.privateData()).hasSize(ConnectionParameters.MAX_DATAGRAM_REQUEST_PRIVATE_DATA);
        ConnectionParameters answer = saying("here I am");
        request.id().accept(answer);
        assertThat(request.id().state()).isEqualTo(CmState.ESTABLISHED);
        CmEvent event = expect(sides.clients(), CmEventType.ESTABLISHED);
        assertThat(text(event.privateData())).isEqualTo("here I am");
        assertThat(event.datagramPeer().orElseThrow().qpn()).isEqualTo(answer.qpNumber());
        assertThat(client.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void theServerRefuses() throws Exception {
        CmId client = sides.connecting();
        sides.request().reject(new byte[0]);
        assertThat(expect(sides.clients(), CmEventType.UNREACHABLE).status()).isEqualTo(2);
        assertThat(client.state()).isEqualTo(CmState.FAILED);
    }

    @Test
    void theServerClosesWithoutAnAnswer() throws Exception {
        sides.connecting();
        sides.request().close();
        assertThat(expect(sides.clients(), CmEventType.UNREACHABLE).status()).isEqualTo(2);
    }

    @Test
    void noListenerOnThePort() throws Exception {
        CmId client = sides.routed();
        sides.listener().close();
        client.connect(saying("hello"));
        assertThat(expect(sides.clients(), CmEventType.UNREACHABLE).status()).isEqualTo(1);
        assertThat(client.state()).isEqualTo(CmState.FAILED);
    }

    @Test
    void disconnectingCausesNoEvent() throws Exception {
        CmId client = sides.connecting();
        CmId server = sides.request();
        server.accept(saying("here I am"));
        expect(sides.clients(), CmEventType.ESTABLISHED);
        client.disconnect();
        assertThat(client.state()).isEqualTo(CmState.DISCONNECTED);
        client.close();
        assertThat(sides.servers().awaitEvent(Duration.ZERO)).isEmpty();
        server.disconnect();
        assertThat(server.state()).isEqualTo(CmState.DISCONNECTED);
    }

    @Test
    void aDatagramIdHasNothingToEstablish() throws Exception {
        CmId client = sides.connecting();
        assertThatThrownBy(() -> client.userManagedQp().establish()).isInstanceOf(IllegalStateException.class);
    }
}
