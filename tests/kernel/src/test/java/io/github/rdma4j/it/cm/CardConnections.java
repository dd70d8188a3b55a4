// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** What tests of connections through the CM need on a device in software. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class CardConnections {
    private static final int PORT = 4711;

    @Parameter
    CmCard.Device device = CmCard.Device.CONNECTX;

    @TempDir
    private Path sysfs;

    CmCard bed;
    EventChannel clientEvents;
    EventChannel serverEvents;
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
    static final class Side extends End {
        private final CmId id;

        Side(CmId id) throws RdmaException {
            super(id.context(), Loopback.setup(), id::createQp);
            this.id = id;
        }

        CmId id() {
            return id;
        }

        @Override
        public void close() throws RdmaException {
            id.close();
            super.close();
        }
    }

    interface Use {
        void of(Side client, Side server) throws Exception;
    }

    /** An id that knows its way to a new listener. */
    final CmId routed(PortSpace space, InetAddress address) throws Exception {
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

    final CmId requested() throws Exception {
        try (CmEvent request = Events.expect(serverEvents, CmEventType.CONNECT_REQUEST)) {
            return request.id();
        }
    }

    final void closeListener() throws RdmaException {
        requireNonNull(listener).close();
    }

    final void connected(InetAddress address, Use use) throws Exception {
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
        closeListener();
    }
}
