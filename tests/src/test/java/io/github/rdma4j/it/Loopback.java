// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.UnaryOperator;

/** Two queue pairs of this JVM, connected to each other through the kernel, each with a buffer the other may use. */
public final class Loopback implements AutoCloseable {
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

        public Loopback connect() throws RdmaException, InterruptedException {
            return new Loopback(this);
        }
    }

    /** One end. */
    public static final class Side implements AutoCloseable {
        private final EventChannel events;
        private final CmId id;
        private final ProtectionDomain pd;
        private final CompletionChannel channel;
        private final CompletionQueue cq;
        private final QueuePair qp;
        private final ByteBuffer buffer;
        private final MemoryRegion region;
        private final WorkCompletion[] one = WorkCompletion.array(1);

        Side(EventChannel events, CmId id, Setup setup) throws RdmaException {
            this.events = events;
            this.id = id;
            pd = id.context().allocatePd();
            channel = id.context().createCompletionChannel();
            cq = id.context().createCq(setup.cqEntries, 0, channel);
            qp = id.createQp(
                    pd, setup.qp.apply(QueuePairOptions.builder().cq(cq)).build());
            buffer = ByteBuffer.allocateDirect(setup.bytes);
            region = pd.registerMr(buffer, EnumSet.allOf(Access.class));
        }

        public EventChannel events() {
            return events;
        }

        public CmId id() {
            return id;
        }

        public ProtectionDomain pd() {
            return pd;
        }

        public CompletionChannel channel() {
            return channel;
        }

        public CompletionQueue cq() {
            return cq;
        }

        public QueuePair qp() {
            return qp;
        }

        public ByteBuffer buffer() {
            return buffer;
        }

        public MemoryRegion region() {
            return region;
        }

        /** Posts a receive of {@code length} bytes into the start of the buffer. */
        public void receive(long wrId, int length) throws RdmaException {
            qp.postReceive(new ReceiveWorkRequest(1).wrId(wrId).add(region, 0, length));
        }

        /** Sends the first {@code length} bytes of the buffer, signaled. */
        public void send(long wrId, int length) throws RdmaException {
            qp.postSend(new SendWorkRequest(1)
                    .wrId(wrId)
                    .send()
                    .add(region, 0, length)
                    .signaled());
        }

        /** The next completion, whatever its status; polls for it. */
        public WorkCompletion completion() {
            Await.until("a completion", () -> cq.poll(one) == 1);
            return one[0];
        }

        /** The next completion, which must be a success. */
        public WorkCompletion success() {
            WorkCompletion completion = completion();
            if (!completion.isSuccess()) {
                throw new AssertionError(completion);
            }
            return completion;
        }

        public void expectEvent(CmEventType type) throws RdmaException, InterruptedException {
            Events.expect(events, type);
        }

        @Override
        public void close() throws RdmaException {
            id.close();
            channel.close();
            pd.close();
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

    public Side client() {
        return client;
    }

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
