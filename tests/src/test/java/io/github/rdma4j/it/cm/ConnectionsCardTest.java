// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of devices in software through the CM: ids make the queue pairs, events move them, and they carry data. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ParameterizedClass
@EnumSource
class ConnectionsCardTest {
    private static final int PORT = 4711;
    private static final int MESSAGES = 200;

    @Parameter
    private CmCard.Device device = CmCard.Device.CONNECTX;

    @TempDir
    private Path sysfs;

    private CmCard bed;
    private EventChannel clientEvents;
    private EventChannel serverEvents;
    private @Nullable CmId listener;

    @BeforeEach
    void listen() throws Exception {
        bed = new CmCard(sysfs, device);
        clientEvents = EventChannel.open(bed.kernel());
        serverEvents = EventChannel.open(bed.kernel());
    }

    @AfterEach
    void close() throws Exception {
        clientEvents.close();
        serverEvents.close();
        bed.close();
    }

    /** An id of one side with a queue pair of its own. */
    private static final class Side extends End {
        private final CmId id;

        Side(CmId id) throws RdmaException {
            super(id.context(), Loopback.setup(), id::createQp);
            this.id = id;
        }

        @Override
        public void close() throws RdmaException {
            id.close();
            super.close();
        }
    }

    private interface Use {
        void of(Side client, Side server) throws Exception;
    }

    /** An id that knows its way to a new listener. */
    private CmId routed(PortSpace space, InetAddress address) throws Exception {
        CmId passive = serverEvents.createId(space);
        listener = passive;
        passive.bind(new InetSocketAddress(address, PORT));
        passive.listen(4);
        CmId active = clientEvents.createId(space);
        active.resolveAddress(new InetSocketAddress(address, PORT), Loopback.RESOLVE);
        Events.expect(clientEvents, CmEventType.ADDR_RESOLVED);
        active.resolveRoute(Loopback.RESOLVE);
        Events.expect(clientEvents, CmEventType.ROUTE_RESOLVED);
        return active;
    }

    private CmId requested() throws Exception {
        try (CmEvent request = Events.expect(serverEvents, CmEventType.CONNECT_REQUEST)) {
            return request.id();
        }
    }

    private void connected(InetAddress address, Use use) throws Exception {
        CmId active = routed(PortSpace.TCP, address);
        Side client = new Side(active);
        active.connect(ConnectionParameters.DEFAULT);
        CmId passive = requested();
        Side server = new Side(passive);
        passive.accept(ConnectionParameters.DEFAULT);
        Events.expect(clientEvents, CmEventType.ESTABLISHED);
        Events.expect(serverEvents, CmEventType.ESTABLISHED);
        use.of(client, server);
        client.close();
        server.close();
        requireNonNull(listener).close();
    }

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
            assertThat(client.context().device().name()).startsWith("mlx");
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
        requireNonNull(listener).close();
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
                            .fetchAndAdd(
                                    server.region().iova() + 64, server.region().rkey(), 12)
                            .add(client.region(), 8, 8)
                            .signaled());
            client.success();
            assertThat(client.buffer().getLong(8)).isEqualTo(30);
            assertThat(server.buffer().getLong(64)).isEqualTo(42);
        });
    }

    @Test
    void flushesWhatIsLeftWhenThePeerLeaves() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            server.receive(5, 0, 64);
            client.id.disconnect();
            Events.expect(serverEvents, CmEventType.DISCONNECTED);
            server.id.disconnect();
            Events.expect(clientEvents, CmEventType.DISCONNECTED);
            assertThat(server.qp().state()).isEqualTo(QpState.ERR);
            WorkCompletion flushed = server.completion();
            assertThat(flushed.wrId()).isEqualTo(5);
            assertThat(flushed.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        });
    }
}
