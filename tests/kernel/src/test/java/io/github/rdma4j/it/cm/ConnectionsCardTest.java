// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of devices in software through the CM: ids make the queue pairs, events move them, and they carry data. */
@ParameterizedClass
@EnumSource
class ConnectionsCardTest extends CardConnections {
    private static final int MESSAGES = 200;

    private static void exchange(Side from, Side to, Random random) throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = new byte[random.nextInt(2000)];
            random.nextBytes(message);
            from.buffer().put(0, message);
            to.receive(i, 2048, 2048);
            from.send(-i, 0, message.length);
            WorkCompletion received = to.success();
            assertThat(received.wrId()).isEqualTo(i);
            assertThat(received.byteLength()).isEqualTo(message.length);
            assertThat(to.buffer().slice(2048, message.length))
                    .isEqualTo(from.buffer().slice(0, message.length));
            assertThat(from.success().wrId()).isEqualTo(-i);
        }
    }

    @Test
    void carriesMessagesBothWays() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            assertThat(client.context().device().name()).isEqualTo(bed.device());
            exchange(client, server, new Random(1));
            exchange(server, client, new Random(2));
        });
    }

    @Test
    void carriesMessagesByIpv6() throws Exception {
        connected(bed.model().ipv6Address(), (client, server) -> exchange(client, server, new Random(3)));
    }

    @Test
    void carriesDatagrams() throws Exception {
        CmId active = routed(PortSpace.UDP, bed.model().address());
        if (device.isIwarp()) {
            assertThatThrownBy(() -> active.createQp(QueuePairOptions.DEFAULT))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("reliable connected");
            return;
        }
        Side client = new Side(active);
        active.connect(ConnectionParameters.DEFAULT);
        CmId passive = requested();
        Side server = new Side(passive);
        server.receive(1, 0, Grh.BYTES + 100);
        passive.accept(ConnectionParameters.DEFAULT);
        DatagramPeer peer;
        try (CmEvent established = Events.expect(clientEvents, CmEventType.ESTABLISHED)) {
            peer = established.datagramPeer().orElseThrow();
        }
        client.buffer().put(0, new byte[] {4, 7, 1, 1});
        try (AddressHandle way = client.pd().createAh(peer.ahAttr())) {
            client.qp()
                    .postSend(new SendWorkRequest(1)
                            .send()
                            .to(way, peer.qpn(), peer.qkey())
                            .add(client.region(), 0, 4)
                            .signaled());
            client.success();
            assertThat(server.success().sourceQp()).isEqualTo(client.qp().qpn());
        }
        assertThat(server.buffer().slice(Grh.BYTES, 4))
                .isEqualTo(client.buffer().slice(0, 4));
        client.close();
        server.close();
        closeListener();
    }

    @Test
    void reachesThePeersMemory() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            client.buffer().order(ByteOrder.nativeOrder()).putLong(0, 4711);
            server.buffer().order(ByteOrder.nativeOrder()).putLong(64, 30);
            client.qp()
                    .postSend(new SendWorkRequest(1)
                            .rdmaWrite(server.region().iova(), server.region().rkey())
                            .add(client.region(), 0, 8)
                            .signaled());
            client.success();
            assertThat(server.buffer().getLong(0)).isEqualTo(4711);
            client.qp()
                    .postSend(new SendWorkRequest(1)
                            .rdmaRead(
                                    server.region().iova() + 64, server.region().rkey())
                            .add(client.region(), 8, 8)
                            .signaled());
            client.success();
            assertThat(client.buffer().getLong(8)).isEqualTo(30);
        });
    }

    @Test
    void flushesWhatIsLeftWhenThePeerLeaves() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            server.receive(5, 0, 64);
            client.id().disconnect();
            Events.expect(serverEvents, CmEventType.DISCONNECTED);
            server.id().disconnect();
            Events.expect(clientEvents, CmEventType.DISCONNECTED);
            assertThat(server.qp().state()).isEqualTo(QpState.ERR);
            WorkCompletion flushed = server.completion();
            assertThat(flushed.wrId()).isEqualTo(5);
            assertThat(flushed.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        });
    }
}
