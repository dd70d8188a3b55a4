// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Another process is killed, with SIGKILL, while data moves between it and this one, on two connections: the tests look
 * at what is left of one each.
 */
@RequiresKernel
class PeerDeathKernelIT {
    /** What both sides send when they connect: where their memory is. */
    private static final int OFFER_BYTES = Long.BYTES + Integer.BYTES;

    private static Listening first;
    private static Listening second;
    private static Incoming reading;
    private static Incoming writing;

    /** The peer's program: connects to each port, then writes the memory that the replies name, for ever. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] ports) throws Exception {
            Await.Running<Boolean> first = Await.inThread(() -> write(ports[0]));
            write(ports[1]);
            first.join();
        }

        private static boolean write(String port) throws Exception {
            EventChannel channel = EventChannel.open();
            CmId id = Loopback.routed(channel, new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port)));
            Loopback.Side side = new Loopback.Side(channel, id, Loopback.setup());
            id.connect(offering(side));
            ByteBuffer target = ByteBuffer.wrap(
                    Events.expect(channel, CmEventType.ESTABLISHED).privateData());
            SendWorkRequest write = new SendWorkRequest(1)
                    .rdmaWrite(target.getLong(0), target.getInt(Long.BYTES))
                    .add(side.region(), 0, 8)
                    .signaled();
            for (long round = 1; ; round++) {
                side.buffer().putLong(0, round);
                side.qp().postSend(write);
                side.success();
            }
        }
    }

    private static ConnectionParameters offering(Loopback.Side side) {
        return ConnectionParameters.builder()
                .privateData(ByteBuffer.allocate(OFFER_BYTES)
                        .putLong(side.region().iova())
                        .putInt(side.region().rkey())
                        .array())
                .build();
    }

    /** Waits for one of the peer's connections. */
    private static final class Listening implements AutoCloseable {
        private final EventChannel channel = EventChannel.open();
        private final CmId listener = Loopback.listen(channel, Rxe.IPV4);

        Listening() throws RdmaException {}

        String port() {
            return Integer.toString(listener.localAddress().orElseThrow().getPort());
        }

        Incoming accept() throws Exception {
            CmEvent request = Events.expect(channel, CmEventType.CONNECT_REQUEST);
            ByteBuffer offer = ByteBuffer.wrap(request.privateData());
            Loopback.Side side = new Loopback.Side(channel, request.id(), Loopback.setup());
            request.id().accept(offering(side));
            Events.expect(channel, CmEventType.ESTABLISHED);
            Await.until("the peer writes", () -> side.buffer().getLong(0) != 0);
            return new Incoming(
                    side,
                    new SendWorkRequest(1)
                            .rdmaWrite(offer.getLong(0), offer.getInt(Long.BYTES))
                            .add(side.region(), 64, 1024)
                            .signaled());
        }

        @Override
        public void close() throws RdmaException {
            channel.close();
        }
    }

    /** This side of one connection, and a request that writes the peer's memory. */
    private record Incoming(Loopback.Side side, SendWorkRequest write) {
        void expectDisconnect() throws Exception {
            side.expectEvent(CmEventType.DISCONNECTED);
            side.id().disconnect();
        }
    }

    @BeforeAll
    static void killThePeerInMidTransfer() throws Exception {
        first = new Listening();
        second = new Listening();
        try (Program peer = Program.start(Program.java(Writer.class, first.port(), second.port()))) {
            try {
                reading = first.accept();
                writing = second.accept();
            } catch (AssertionError e) {
                throw new AssertionError("the peer does not connect: " + peer, e);
            }
            reading.side.receive(1, 64);
            writing.side.qp().postSend(writing.write);
            writing.side.success();
            peer.kill();
        }
    }

    @AfterAll
    static void close() throws RdmaException {
        reading.side.close();
        writing.side.close();
        first.close();
        second.close();
    }

    @Test
    void isSeenAsADisconnectThatFlushesWhatWasPosted() throws Exception {
        reading.expectDisconnect();
        assertThat(reading.side.completion().statusName()).isEqualTo("WR_FLUSH_ERR");
    }

    @Test
    void endsWritesToThePeer() throws Exception {
        writing.side.qp().postSend(writing.write);
        writing.expectDisconnect();
        assertThat(writing.side.completion().statusName()).isIn("WR_FLUSH_ERR", "RETRY_EXC_ERR");
    }
}
