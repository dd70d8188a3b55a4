// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Finding the queue pair of a datagram service, and talking to it. */
abstract class CmDatagramScenarios {
    private static final int UDP_QKEY = 0x01234567;

    private CmSides sides;

    @BeforeEach
    void open() throws RdmaException {
        sides = CmSides.open(PortSpace.UDP);
    }

    @AfterEach
    void close() throws RdmaException {
        sides.close();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 5 + 3);
        }
        return bytes;
    }

    private static ConnectionParameters with(int length) {
        return ConnectionParameters.builder().privateData(bytes(length)).build();
    }

    private CmId ready() throws RdmaException, InterruptedException {
        CmId client = sides.routed();
        client.createQp(QueuePairOptions.DEFAULT);
        return client;
    }

    private CmEvent request() throws RdmaException, InterruptedException {
        return Events.expect(sides.servers(), CmEventType.CONNECT_REQUEST);
    }

    @Test
    void carriesTheLongestPrivateDataBothWaysAndSaysWhereToSend() throws Exception {
        CmId client = ready();
        assertThatThrownBy(() -> client.connect(with(181)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("180");
        client.connect(with(ConnectionParameters.MAX_DATAGRAM_REQUEST_PRIVATE_DATA));
        CmEvent request = request();
        assertThat(request.privateData()).isEqualTo(bytes(180));
        assertThat(request.datagramPeer()).isEmpty();
        assertThat(request.connectionParameters()).isEmpty();
        CmId server = request.id();
        QueuePair qp = server.createQp(QueuePairOptions.DEFAULT);
        assertThatThrownBy(() -> server.accept(with(137)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("136");
        assertThatThrownBy(() -> server.reject(new byte[137])).isInstanceOf(IllegalArgumentException.class);
        server.accept(with(ConnectionParameters.MAX_DATAGRAM_REPLY_PRIVATE_DATA));
        assertThat(server.state()).isEqualTo(CmState.ESTABLISHED);
        CmEvent established = Events.expect(sides.clients(), CmEventType.ESTABLISHED);
        assertThat(client.state()).isEqualTo(CmState.ESTABLISHED);
        assertThat(established.privateData()).isEqualTo(bytes(136));
        DatagramPeer peer = established.datagramPeer().orElseThrow();
        assertThat(peer.qpn()).isEqualTo(qp.qpn());
        assertThat(peer.qkey()).isEqualTo(UDP_QKEY);
        if (peer.ahAttr().isGlobal()) {
            assertThat(peer.ahAttr().dgid()).isEqualTo(server.sourceGid().orElseThrow());
        } else {
            assertThat(peer.ahAttr().dlid()).isPositive();
        }
        assertThat(sides.servers().pollEvent()).isEmpty();
    }

    @Test
    void makesQueuePairsThatMaySendAtOnce() throws Exception {
        CmId client = ready();
        assertThat(client.qp().orElseThrow().query().state()).isEqualTo(QpState.RTS);
        assertThat(client.qp().orElseThrow().query().qkey()).isEqualTo(UDP_QKEY);
    }

    @Test
    void exchangesMessagesInBothDirections() throws Exception {
        CmId client = ready();
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = request().id();
        server.createQp(QueuePairOptions.DEFAULT);
        CmQueues there = server.queues();
        CmQueues here = client.queues();
        ByteBuffer memory = ByteBuffer.allocateDirect(256);
        try (MemoryRegion theirs = there.registerMessages(memory);
                MemoryRegion ours = here.registerMessages(memory)) {
            there.postReceive(1, theirs, 0, 100);
            here.postReceive(2, ours, 128, 100);
            server.accept(ConnectionParameters.DEFAULT);
            CmEvent established = Events.expect(sides.clients(), CmEventType.ESTABLISHED);
            DatagramPeer peer = established.datagramPeer().orElseThrow();
            memory.putInt(120, 0x0a0b0c0d);
            try (DatagramPeer.Handle way = here.handle(peer)) {
                here.postDatagram(3, ours, 120, Integer.BYTES, way);
                assertThat(here.awaitSendCompletion(Await.LIMIT).orElseThrow().wrId())
                        .isEqualTo(3);
            }
            WorkCompletion received = there.awaitReceiveCompletion(Await.LIMIT).orElseThrow();
            assertThat(received.sourceQp()).isEqualTo(client.qp().orElseThrow().qpn());
            assertThat(memory.getInt(Grh.BYTES)).isEqualTo(0x0a0b0c0d);
            try (AddressHandle back = server.pd().createAh(peer.ahAttr())) {
                there.postDatagram(
                        4, theirs, 120, Integer.BYTES, new DatagramPeer.Handle(back, received.sourceQp(), UDP_QKEY));
                assertThat(there.awaitSendCompletion(Await.LIMIT)).isPresent();
            }
            assertThat(here.awaitReceiveCompletion(Await.LIMIT).orElseThrow().wrId())
                    .isEqualTo(2);
            assertThat(memory.getInt(128 + Grh.BYTES)).isEqualTo(0x0a0b0c0d);
        }
    }

    @Test
    void hearsThatTheServiceSaysNo() throws Exception {
        CmId client = ready();
        client.connect(ConnectionParameters.DEFAULT);
        request().id().reject(bytes(136));
        CmEvent unreachable = Events.expect(sides.clients(), CmEventType.UNREACHABLE);
        assertThat(unreachable.status()).isEqualTo(2);
        assertThat(Arrays.copyOf(unreachable.privateData(), 136)).isEqualTo(bytes(136));
    }

    @Test
    void letsThePeerGoWithoutAWord() throws Exception {
        CmId client = ready();
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = request().id();
        server.accept(ConnectionParameters.DEFAULT);
        Events.expect(sides.clients(), CmEventType.ESTABLISHED);
        client.disconnect();
        assertThat(client.state()).isEqualTo(CmState.DISCONNECTED);
        assertThat(client.qp().orElseThrow().query().state()).isEqualTo(QpState.ERR);
        server.close();
        assertThat(sides.clients().pollEvent()).isEmpty();
        assertThat(sides.servers().pollEvent()).isEmpty();
    }
}
