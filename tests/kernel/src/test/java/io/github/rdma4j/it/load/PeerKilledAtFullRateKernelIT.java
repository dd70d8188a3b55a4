// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Flood;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Another process is killed, with SIGKILL, while it and this one send to each other as fast as they can, over a connection for
 * each way of taking completions. Whatever was posted completes once, and whoever waits ends.
 */
@RequiresKernel
@SuppressWarnings("NullAway.Init") // everything is made before the first test
class PeerKilledAtFullRateKernelIT {

    private static Flooded polled;
    private static Flooded waited;
    private static Flooded selected;
    private static Dispatched dispatched;
    private static Looped looped;
    private static ReadinessSet set;

    /** The peer's program: a flooded connection to each port. */
    static final class Peer {
        private Peer() {}

        public static void main(String[] ports) throws Exception {
            List<Await.Running<Long>> floods = new ArrayList<>();
            for (String port : ports) {
                EventChannel channel = EventChannel.open();
                CmId id = Loopback.routed(channel, new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port)));
                Flood flood = Flood.polling(new Loopback.Side(channel, id, Flood.setup()));
                id.connect(Flood.PARAMETERS);
                Events.expect(channel, CmEventType.ESTABLISHED);
                floods.add(flood.start());
            }
            for (Await.Running<Long> flood : floods) {
                flood.thread().join();
            }
        }
    }

    /** An id that listens, until it has been connected. */
    private static class Listening implements AutoCloseable {
        final EventChannel channel = EventChannel.open();
        private final CmId listener = Loopback.listen(channel, Rxe.IPV4);

        Listening() throws RdmaException {}

        int port() {
            return listener.localAddress().orElseThrow().getPort();
        }

        CmId request() throws Exception {
            try (CmEvent request = Events.expect(channel, CmEventType.CONNECT_REQUEST)) {
                return request.id();
            }
        }

        void accept(CmId id) throws Exception {
            id.accept(Flood.PARAMETERS);
            Events.expect(channel, CmEventType.ESTABLISHED);
        }

        void expectDisconnect(CmId id) throws Exception {
            Events.expect(channel, CmEventType.DISCONNECTED);
            id.disconnect();
        }

        @Override
        public void close() throws RdmaException {
            channel.close();
        }
    }

    /** A connection that a thread floods. */
    private static final class Flooded extends Listening {
        private final Flood.Way way;
        private Loopback.Side side;
        private Flood flood;
        private Await.Running<Long> thread;

        Flooded(Flood.Way way) throws RdmaException {
            this.way = way;
        }

        void connect() throws Exception {
            side = new Loopback.Side(channel, request(), Flood.setup());
            flood = Flood.of(side, way.of(side));
            accept(side.id());
            thread = flood.start();
        }

        void assertOver() throws Exception {
            expectDisconnect(side.id());
            assertThat(thread.result()).isGreaterThan(2000);
            assertThat(flood.ending()).as("all of it has completed").isNull();
        }

        @Override
        public void close() throws RdmaException {
            side.close();
            super.close();
        }
    }

    /** A connection whose completions a dispatcher hands over. */
    private static final class Dispatched extends Listening {
        private CmId id;
        private ProtectionDomain pd;
        private CompletionDispatcher dispatcher;
        private DispatchedFlood flood;

        Dispatched() throws RdmaException {}

        void connect() throws Exception {
            id = request();
            dispatcher = CompletionDispatcher.open(id.context());
            pd = id.context().allocatePd();
            MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(4096), EnumSet.of(Access.LOCAL_WRITE));
            QueuePair qp = id.createQp(
                    pd,
                    QueuePairOptions.builder()
                            .cq(dispatcher.completionQueue())
                            .maxSendWr(Flood.SENDS)
                            .maxReceiveWr(Flood.RECEIVES)
                            .build());
            flood = new DispatchedFlood(dispatcher.attach(qp), region);
            flood.postReceives();
            accept(id);
            flood.start();
        }

        @Override
        public void close() throws RdmaException {
            dispatcher.close();
            super.close();
            pd.close();
        }
    }

    /** A connection of an event loop that a thread floods with the short forms of the queues. */
    private static final class Looped implements AutoCloseable {
        private final CmEventLoop loop = CmEventLoop.open();
        private final CmListener listener = loop.listen(new InetSocketAddress(Rxe.IPV4, Rxe.newPort()));
        private final AtomicLong moved = new AtomicLong();
        private CmConnection connection;
        private Await.Running<WorkCompletion> thread;

        Looped() throws RdmaException {}

        int port() {
            return listener.address().getPort();
        }

        void connect() throws Exception {
            ConnectOptions options = ConnectOptions.builder()
                    .parameters(Flood.PARAMETERS)
                    .queuePair(QueuePairOptions.builder()
                            .maxSendWr(Flood.SENDS)
                            .maxReceiveWr(Flood.RECEIVES)
                            .build())
                    .prepare(made -> {
                        MemoryRegion region = made.own(made.queues().registerMessages(ByteBuffer.allocateDirect(128)));
                        made.id().attach(region);
                        for (int i = 0; i < Flood.RECEIVES; i++) {
                            made.queues().postReceive(i, region, 64, 64);
                        }
                    })
                    .build();
            connection =
                    loop.await(listener.nextRequest().thenCompose(request -> request.accept(options)), Await.LIMIT);
            connection.qp().modify(QpAttr.builder().minRnrTimer(12).build());
            thread = Await.inThread(this::flood);
        }

        /** The receive that failed. */
        private WorkCompletion flood() throws Exception {
            MemoryRegion region =
                    (MemoryRegion) Objects.requireNonNull(connection.id().attachment());
            CmQueues queues = connection.queues();
            while (true) {
                WorkCompletion received =
                        queues.awaitReceiveCompletion(Await.LIMIT).orElseThrow();
                if (!received.isSuccess()) {
                    return received;
                }
                queues.postReceive(received.wrId(), region, 64, 64);
                queues.postSend(moved.incrementAndGet(), region, 0, 64);
                assertThat(queues.awaitSendCompletion(Await.LIMIT)).isPresent();
            }
        }

        @Override
        public void close() throws RdmaException {
            connection.close();
            loop.close();
        }
    }

    @BeforeAll
    static void killThePeer() throws Exception {
        set = ReadinessSet.open(Kernel.running());
        polled = new Flooded(side -> side.cq()::poll);
        waited = new Flooded(side -> into -> side.cq().await(into, Await.LIMIT));
        selected = new Flooded(side -> Flood.selecting(set, side));
        dispatched = new Dispatched();
        List<String> ports = new ArrayList<>();
        for (Listening each : List.of(polled, waited, selected, dispatched)) {
            ports.add(Integer.toString(each.port()));
        }
        looped = new Looped();
        ports.add(Integer.toString(looped.port()));
        try (Program peer = Program.start(Program.java(Peer.class, ports.toArray(String[]::new)))) {
            try {
                for (Flooded each : List.of(polled, waited, selected)) {
                    each.connect();
                }
                dispatched.connect();
                looped.connect();
                for (Flooded each : List.of(polled, waited, selected)) {
                    each.flood.awaitFullRate();
                }
                dispatched.flood.awaitFullRate();
                Await.until("the loop's connection moves", () -> looped.moved.get() > 200);
            } catch (AssertionError e) {
                throw new AssertionError("the peer: " + peer, e);
            }
            peer.kill();
        }
    }

    @AfterAll
    static void close() throws RdmaException {
        for (Listening each : List.of(polled, waited, selected, dispatched)) {
            each.close();
        }
        looped.close();
        set.close();
    }

    @Test
    void anEventLoopTellsAndTheWaitEnds() throws Exception {
        CmEvent event = looped.connection.disconnected().get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(event.type()).isEqualTo(CmEventType.DISCONNECTED);
        assertThat(looped.thread.result().statusName()).isEqualTo("WR_FLUSH_ERR");
        assertThat(looped.loop.isClosed()).isFalse();
    }

    @Test
    void pollingCompletesEverything() throws Exception {
        polled.assertOver();
    }

    @Test
    void waitingCompletesEverything() throws Exception {
        waited.assertOver();
    }

    @Test
    void aReadinessSetCompletesEverything() throws Exception {
        selected.assertOver();
    }

    @Test
    void aDispatcherCallsEveryHandlerAndWakesWhoWaitsForRoom() throws Exception {
        dispatched.expectDisconnect(dispatched.id);
        dispatched.flood.assertOver();
        assertThat(dispatched.dispatcher.isClosed()).isFalse();
    }
}
