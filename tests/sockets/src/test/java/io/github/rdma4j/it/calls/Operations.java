// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.calls.CountedOperations.Operation;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Access;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;

/** The operations whose calls are in {@code calls/table.txt}. */
enum Operations {
    CONNECTION(ConnectionOperation::new),
    REGISTRATION(RegistrationOperation::new),
    JOIN(JoinOperation::new),
    RSOCKET_MESSAGE(RsocketOperation::new),
    NIO_ECHO(NioOperation::new),
    NETTY_ECHO_NATIVE(host -> new NettyOperation(host, RdmaWire.NATIVE)),
    NETTY_ECHO_RSOCKET(host -> new NettyOperation(host, RdmaWire.RSOCKET));

    @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
    private final Opening opening;

    Operations(Opening opening) {
        this.opening = opening;
    }

    private interface Opening {
        Operation open(String host) throws Exception;
    }

    /** What the operations share, on the device with this address. */
    Operation open(String host) throws Exception {
        return opening.open(host);
    }

    /** Both sides of one connection, from the ids to their end, with the completion queues that all have in common. */
    static final class ConnectionOperation implements CountedOperations.Operation {
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
            options = QueuePairOptions.builder()
                    .cq(cq)
                    .maxSendWr(1)
                    .maxReceiveWr(1)
                    .build();
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

    /** A datagram id joins a group, and leaves it. */
    static final class JoinOperation implements CountedOperations.Operation {
        private static final InetSocketAddress GROUP = new InetSocketAddress("239.77.14.1", 0);

        private final EventChannel channel = EventChannel.open();
        private final CmId id = channel.createId(PortSpace.UDP);

        JoinOperation(String host) throws Exception {
            id.bind(new InetSocketAddress(host, 0));
            id.createQp(QueuePairOptions.DEFAULT);
        }

        @Override
        public void once() throws Exception {
            try (GroupMembership membership = id.multicast().join(GROUP)) {
                Arrived.event(channel, CmEventType.MULTICAST_JOIN);
                if (membership.group() != GROUP) {
                    throw new AssertionError(membership);
                }
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Memory is registered, and its region closed. */
    static final class RegistrationOperation implements CountedOperations.Operation {
        private static final int BYTES = 4096;

        private final DeviceContext context = DeviceContext.open(Rxe.DEVICE);
        private final ProtectionDomain pd = context.allocatePd();
        private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        private final Set<Access> access = Set.of(Access.LOCAL_WRITE);

        RegistrationOperation(String host) throws Exception {}

        @Override
        public void once() throws Exception {
            try (MemoryRegion region = pd.registerMr(memory, access)) {
                if (region.isClosed()) {
                    throw new AssertionError(region);
                }
            }
        }

        @Override
        public void close() throws IOException {
            context.close();
        }
    }

    /** A message of 64 bytes from one end to the other, without a wait. */
    static final class RsocketOperation implements CountedOperations.Operation {
        private static final int BYTES = 64;

        private final RsocketListener listener;
        private final RsocketChannel client;
        private final RsocketChannel server;
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);

        RsocketOperation(String host) throws Exception {
            listener = RsocketListener.listen(new InetSocketAddress(host, 0));
            client = RsocketChannel.connect(listener.localAddress()).configureBlocking(false);
            server = listener.accept(Duration.ofSeconds(10)).orElseThrow().configureBlocking(false);
        }

        @Override
        public void once() throws Exception {
            bytes.clear();
            while (bytes.hasRemaining()) {
                client.write(bytes);
            }
            bytes.clear();
            while (bytes.hasRemaining()) {
                if (server.read(bytes) < 0) {
                    throw new AssertionError("the end");
                }
            }
        }

        @Override
        public void close() throws IOException {
            client.close();
            server.close();
            listener.close();
        }
    }
}
