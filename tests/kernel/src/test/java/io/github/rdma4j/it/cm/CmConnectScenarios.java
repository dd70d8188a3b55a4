// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connecting, accepting and rejecting, with what the two sides tell each other. */
abstract class CmConnectScenarios {
    private EventChannel clients;
    private EventChannel servers;
    private CmId listener;
    private final List<CompletionQueue> queues = new ArrayList<>();

    @BeforeEach
    void open() throws RdmaException {
        clients = EventChannel.open();
        servers = EventChannel.open();
        listener = Loopback.listen(servers, Rxe.IPV4);
    }

    @AfterEach
    void close() throws RdmaException {
        clients.close();
        servers.close();
        for (CompletionQueue cq : queues) {
            cq.close();
        }
    }

    private CmId routed() throws RdmaException, InterruptedException {
        return Loopback.routed(clients, listener.localAddress().orElseThrow());
    }

    private QueuePair withQp(CmId id) throws RdmaException {
        CompletionQueue cq = id.context().createCq(16);
        queues.add(cq);
        return id.createQp(QueuePairOptions.builder().cq(cq).build());
    }

    private CmId ready() throws RdmaException, InterruptedException {
        CmId id = routed();
        withQp(id);
        return id;
    }

    private CmEvent request() throws RdmaException, InterruptedException {
        return Events.expect(servers, CmEventType.CONNECT_REQUEST);
    }

    private static ConnectionParameters with(byte[] privateData) {
        return ConnectionParameters.builder().privateData(privateData).build();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 7 + 1);
        }
        return bytes;
    }

    private void establish(CmId client, CmId server) throws RdmaException, InterruptedException {
        server.accept(ConnectionParameters.DEFAULT);
        Events.expect(clients, CmEventType.ESTABLISHED);
        Events.expect(servers, CmEventType.ESTABLISHED);
        assertThat(client.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(server.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void movesBothQueuePairsToReadyToSend() throws Exception {
        CmId client = ready();
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = request().id();
        QueuePair passive = withQp(server);
        establish(client, server);
        assertThat(client.qp().orElseThrow().query().state()).isEqualTo(QpState.RTS);
        assertThat(passive.query().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void carriesTheLongestPrivateDataBothWaysAndRefusesLonger() throws Exception {
        byte[] question = bytes(ConnectionParameters.MAX_REQUEST_PRIVATE_DATA);
        byte[] answer = bytes(ConnectionParameters.MAX_REPLY_PRIVATE_DATA);
        CmId client = ready();
        assertThatThrownBy(() -> client.connect(with(bytes(question.length + 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("57 bytes")
                .hasMessageContaining("56");
        client.connect(with(question));
        CmEvent request = request();
        assertThat(request.privateData()).isEqualTo(question);
        CmId server = request.id();
        withQp(server);
        assertThatThrownBy(() -> server.accept(with(bytes(answer.length + 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("197 bytes");
        server.accept(with(answer));
        assertThat(Events.expect(clients, CmEventType.ESTABLISHED).privateData())
                .isEqualTo(answer);
    }

    @Test
    void refusesARejectionOfTooMuchPrivateDataAndRejectsThen() throws Exception {
        CmId client = ready();
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = request().id();
        byte[] longest = bytes(ConnectionParameters.MAX_REJECT_PRIVATE_DATA);
        assertThatThrownBy(() -> server.reject(Arrays.copyOf(longest, longest.length + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("149 bytes");
        server.reject(longest);
        CmEvent rejected = Events.expect(clients, CmEventType.REJECTED);
        assertThat(rejected.status()).isEqualTo(28);
        assertThat(rejected.privateData()).isEqualTo(longest);
    }

    @Test
    void movesTheQueuePairOfARejectedIdToError() throws Exception {
        CmId client = ready();
        client.connect(ConnectionParameters.DEFAULT);
        request().id().reject(new byte[0]);
        Events.expect(clients, CmEventType.REJECTED);
        assertThat(client.qp().orElseThrow().query().state()).isEqualTo(QpState.ERR);
    }

    @Test
    void agreesOnTheDepthsThatTheClientProposed() throws Exception {
        // Powers of two, which is what rxe rounds up to.
        CmId client = ready();
        client.connect(ConnectionParameters.builder()
                .responderResources(2)
                .initiatorDepth(4)
                .build());
        CmId server = request().id();
        QueuePair passive = withQp(server);
        establish(client, server);
        assertThat(passive.query().maxDestRdAtomic()).isEqualTo(4);
        assertThat(passive.query().maxRdAtomic()).isEqualTo(2);
    }

    @Test
    void refusesMoreReadsThanTheDeviceCanDo() throws Exception {
        CmId client = ready();
        int possible = client.context().queryDevice().maxQpInitRdAtom();
        assertThatThrownBy(() -> client.connect(ConnectionParameters.builder()
                        .initiatorDepth(possible + 1)
                        .build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("initiator depth of " + (possible + 1));
        assertThat(client.state()).isEqualTo(CmState.ROUTE_RESOLVED);
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void connectsOverBothFamiliesAndTalks(String host) throws Exception {
        try (Loopback loopback = Loopback.setup().address(host).connect()) {
            loopback.client().buffer().put(0, (byte) 77);
            loopback.server().receive(1, 64);
            loopback.client().send(2, 64);
            assertThat(loopback.server().success().byteLength()).isEqualTo(64);
            assertThat(loopback.client().success().wrId()).isEqualTo(2);
            assertThat(loopback.server().buffer().get(0)).isEqualTo((byte) 77);
        }
    }

    @Test
    void leavesAQueuePairOfTheCallersOwnToTheCaller() throws Exception {
        CmId client = routed();
        try (CompletionQueue cq = client.context().createCq(16);
                QueuePair own =
                        client.pd().createQp(QueuePairOptions.builder().cq(cq).build())) {
            own.modify(client.userManagedQp().attributes(QpState.INIT));
            client.connect(ConnectionParameters.builder().qpNumber(own.qpn()).build());
            CmEvent request = request();
            assertThat(request.connectionParameters().orElseThrow().qpNumber()).isEqualTo(own.qpn());
            QueuePair passive = withQp(request.id());
            request.id().accept(ConnectionParameters.DEFAULT);
            CmEvent response = Events.expect(clients, CmEventType.CONNECT_RESPONSE);
            assertThat(response.connectionParameters().orElseThrow().qpNumber()).isEqualTo(passive.qpn());
            assertThat(client.state()).isEqualTo(CmState.RESPONDED);
            assertThat(own.query().state()).isEqualTo(QpState.INIT);
            own.modify(client.userManagedQp().attributes(QpState.RTR));
            own.modify(client.userManagedQp().attributes(QpState.RTS));
            client.userManagedQp().establish();
            assertThat(client.state()).isEqualTo(CmState.ESTABLISHED);
            Events.expect(servers, CmEventType.ESTABLISHED);
        }
    }
}
