// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Both sides of one connection, from the ids to their end, with the completion queues that all have in common. */
final class ConnectionOperation implements CountedOperations.Operation {
    private static final int BACKLOG = 16;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final EventChannel clients = EventChannel.open();
    private final EventChannel servers = EventChannel.open();
    private final CmId listener = servers.createId(PortSpace.TCP);
    private final InetSocketAddress address;
    private final CompletionQueue cq;
    private final QueuePairOptions options;

    ConnectionOperation(String host) throws Exception {
        listener.bind(new InetSocketAddress(host, 0));
        listener.listen(BACKLOG);
        address = listener.localAddress().orElseThrow();
        cq = listener.context().createCq(2);
        options = QueuePairOptions.builder().cq(cq).maxSendWr(1).maxReceiveWr(1).build();
    }

    @Override
    public void once() throws Exception {
        CmId client = clients.createId(PortSpace.TCP);
        client.resolveAddress(address, LIMIT);
        Arrived.event(clients, CmEventType.ADDR_RESOLVED);
        client.resolveRoute(LIMIT);
        Arrived.event(clients, CmEventType.ROUTE_RESOLVED);
        client.createQp(options);
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = Arrived.event(servers, CmEventType.CONNECT_REQUEST).id();
        server.createQp(options);
        server.accept(ConnectionParameters.DEFAULT);
        Arrived.event(clients, CmEventType.ESTABLISHED);
        Arrived.event(servers, CmEventType.ESTABLISHED);
        client.disconnect();
        Arrived.event(servers, CmEventType.DISCONNECTED);
        server.disconnect();
        Arrived.event(clients, CmEventType.DISCONNECTED);
        server.close();
        client.close();
    }

    @Override
    public void close() throws IOException {
        clients.close();
        servers.close();
        cq.close();
    }
}
