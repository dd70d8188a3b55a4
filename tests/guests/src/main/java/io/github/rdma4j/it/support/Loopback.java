// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Two queue pairs of this JVM, connected to each other through the kernel, each with a buffer the other may use. */
public final class Loopback implements Ends {
    public static final Duration RESOLVE = Duration.ofSeconds(5);

    private final EventChannel clientEvents = EventChannel.open();
    private final EventChannel serverEvents = EventChannel.open();
    private final CmId listener;
    private final Side client;
    private final Side server;

    /** What may be set of a loopback before it connects. */
    public static final class Setup {
        private String address = Rxe.IPV4;
        private int cqEntries = 64;
        private int bytes = 4096;
        private UnaryOperator<QueuePairOptions.Builder> qp = options -> options;
        private ConnectionParameters parameters = ConnectionParameters.DEFAULT;

        private Setup() {}

        public Setup address(String host) {
            address = host;
            return this;
        }

        public Setup cqEntries(int entries) {
            cqEntries = entries;
            return this;
        }

        /** The size of each side's buffer. */
        public Setup bytes(int size) {
            bytes = size;
            return this;
        }

        public Setup qp(UnaryOperator<QueuePairOptions.Builder> change) {
            qp = change;
            return this;
        }

        /** For request and reply. */
        public Setup parameters(ConnectionParameters values) {
            parameters = values;
            return this;
        }

        int cqEntries() {
            return cqEntries;
        }

        int bytes() {
            return bytes;
        }

        QueuePairOptions options(CompletionQueue cq) {
            return qp.apply(QueuePairOptions.builder().cq(cq)).build();
        }

        public ConnectionParameters parameters() {
            return parameters;
        }

        public Loopback connect() throws RdmaException, InterruptedException {
            return new Loopback(this);
        }
    }

    /** One end, with its id. */
    public static final class Side extends End {
        private final EventChannel events;
        private final CmId id;

        public Side(EventChannel events, CmId id, Setup setup) throws RdmaException {
            this(events, id, setup, id::createQp);
        }

        public Side(EventChannel events, CmId id, Setup setup, QueuePairs queuePairs) throws RdmaException {
            super(id.context(), setup, queuePairs);
            this.events = events;
            this.id = id;
        }

        public EventChannel events() {
            return events;
        }

        public CmId id() {
            return id;
        }

        public void expectEvent(CmEventType type) throws RdmaException, InterruptedException {
            Events.expect(events, type);
        }

        @Override
        public void close() throws RdmaException {
            id.close();
            super.close();
        }
    }

    public static Setup setup() {
        return new Setup();
    }

    public static Loopback connected() throws RdmaException, InterruptedException {
        return setup().connect();
    }

    private Loopback(Setup setup) throws RdmaException, InterruptedException {
        listener = listen(serverEvents, setup.address);
        CmId active = routed(clientEvents, listener.localAddress().orElseThrow());
        client = new Side(clientEvents, active, setup);
        active.connect(setup.parameters);
        CmId passive;
        try (CmEvent request = Events.expect(serverEvents, CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        server = new Side(serverEvents, passive, setup);
        passive.accept(setup.parameters);
        Events.expect(clientEvents, CmEventType.ESTABLISHED);
        Events.expect(serverEvents, CmEventType.ESTABLISHED);
    }

    /** An id that listens on the address and a port of its own. */
    public static CmId listen(EventChannel channel, String host) throws RdmaException {
        CmId id = channel.createId(PortSpace.TCP);
        id.bind(new InetSocketAddress(host, Rxe.newPort()));
        id.listen(16);
        return id;
    }

    /** An id with its way to {@code peer} resolved. */
    public static CmId routed(EventChannel channel, InetSocketAddress peer) throws RdmaException, InterruptedException {
        CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(peer, RESOLVE);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(RESOLVE);
        Events.expect(channel, CmEventType.ROUTE_RESOLVED);
        return id;
    }

    @Override
    public Side client() {
        return client;
    }

    @Override
    public Side server() {
        return server;
    }

    public CmId listener() {
        return listener;
    }

    /** Closes both sides; nothing of the connection is left. */
    @Override
    public void close() throws RdmaException {
        client.close();
        server.close();
        clientEvents.close();
        serverEvents.close();
    }
}
