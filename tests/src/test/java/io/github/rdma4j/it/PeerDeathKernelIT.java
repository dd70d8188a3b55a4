// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The other process is killed, with SIGKILL, while data moves between it and this one. */
@RequiresKernel
class PeerDeathKernelIT {
    /** What the peer sends when it connects: where its memory is. */
    private static final int OFFER_BYTES = Long.BYTES + Integer.BYTES;

    private EventChannel channel;
    private Program peer;
    private Loopback.Side side;
    private ByteBuffer offer;
    private boolean connected;

    /** The peer's program: connects, then writes the memory that the reply names, for ever. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws Exception {
            EventChannel channel = EventChannel.open();
            CmId id = Loopback.routed(channel, new InetSocketAddress(Rxe.IPV4, Integer.parseInt(arguments[0])));
            Loopback.Side side = new Loopback.Side(channel, id, Loopback.setup());
            id.connect(ConnectionParameters.builder().privateData(offer(side)).build());
            CmEvent established = Events.expect(channel, CmEventType.ESTABLISHED);
            ByteBuffer target = ByteBuffer.wrap(established.privateData());
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

    private static byte[] offer(Loopback.Side side) {
        return ByteBuffer.allocate(OFFER_BYTES)
                .putLong(side.region().iova())
                .putInt(side.region().rkey())
                .array();
    }

    @BeforeEach
    void connect() throws Exception {
        channel = EventChannel.open();
        CmId listener = Loopback.listen(channel, Rxe.IPV4);
        String port = Integer.toString(listener.localAddress().orElseThrow().getPort());
        peer = Program.start(Program.java(Writer.class, port));
        CmEvent request = awaitRequest();
        offer = ByteBuffer.wrap(request.privateData());
        side = new Loopback.Side(channel, request.id(), Loopback.setup());
        connected = true;
        request.id()
                .accept(ConnectionParameters.builder()
                        .privateData(offer(side))
                        .retryCount(1)
                        .build());
        Events.expect(channel, CmEventType.ESTABLISHED);
        Await.until("the peer writes", () -> side.buffer().getLong(0) != 0);
    }

    private CmEvent awaitRequest() throws Exception {
        try {
            return Events.expect(channel, CmEventType.CONNECT_REQUEST);
        } catch (AssertionError e) {
            throw new AssertionError("the peer does not connect: " + peer, e);
        }
    }

    @AfterEach
    void close() throws Exception {
        peer.close();
        if (connected) {
            side.close();
        }
        channel.close();
    }

    @Test
    void isSeenAsADisconnectThatFlushesWhatWasPosted() throws Exception {
        side.receive(1, 64);
        peer.kill();
        Events.expect(channel, CmEventType.DISCONNECTED);
        side.id().disconnect();
        assertThat(side.completion().statusName()).isEqualTo("WR_FLUSH_ERR");
    }

    @Test
    void endsAStreamOfWritesToThePeer() throws Exception {
        SendWorkRequest write = new SendWorkRequest(1)
                .rdmaWrite(offer.getLong(0), offer.getInt(Long.BYTES))
                .add(side.region(), 64, 1024)
                .signaled();
        side.qp().postSend(write);
        side.success();
        peer.kill();
        Events.expect(channel, CmEventType.DISCONNECTED);
        side.qp().postSend(write);
        side.id().disconnect();
        // What was written while the kernel buried the peer may have been acknowledged still; the rest is flushed.
        WorkCompletion completion = side.completion();
        assertThat(completion.statusName()).isIn("WR_FLUSH_ERR", "RETRY_EXC_ERR");
    }
}
