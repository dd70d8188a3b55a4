// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Flood;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.MemoryRegion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** {@link PeerKilledAtFullRateKernelIT} for soft-iWARP, with RDMA writes in both directions. */
@Nightly
@RequiresSiw
class PeerKilledAtFullRateSiwIT {
    /** Private data that offers the memory of an end. */
    private static ConnectionParameters offering(End end) {
        MemoryRegion region = end.region();
        byte[] offer = ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(region.iova())
                .putInt(region.rkey())
                .array();
        return ConnectionParameters.builder().privateData(offer).build();
    }

    private static Flood to(byte[] offer, End end, Flood.Taking taking) {
        ByteBuffer words = ByteBuffer.wrap(offer);
        return Flood.writing(end, taking, words.getLong(), words.getInt());
    }

    /** The peer's program: floods a connection to the port. */
    static final class Peer {
        private Peer() {}

        public static void main(String[] port) throws Exception {
            EventChannel channel = EventChannel.open();
            CmId id = Loopback.routed(channel, new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0])));
            Loopback.Side side = new Loopback.Side(channel, id, Flood.setup());
            id.connect(offering(side));
            byte[] offer = Events.expect(channel, CmEventType.ESTABLISHED).privateData();
            to(offer, side, side.cq()::poll).start().thread().join();
        }
    }

    private static void survives(Flood.Way way) throws Exception {
        try (EventChannel channel = EventChannel.open();
                CmId listener = Loopback.listen(channel, Rxe.IPV4);
                Program peer = Program.start(Program.java(
                        Peer.class,
                        Integer.toString(listener.localAddress().orElseThrow().getPort())))) {
            CmEvent request = Events.expect(channel, CmEventType.CONNECT_REQUEST);
            try (Loopback.Side side = new Loopback.Side(channel, request.id(), Flood.setup())) {
                side.id().accept(offering(side));
                Events.expect(channel, CmEventType.ESTABLISHED);
                Flood flood = to(request.privateData(), side, way.of(side));
                Await.Running<Long> thread = flood.start();
                flood.awaitFullRate();
                peer.kill();
                Events.expect(channel, CmEventType.DISCONNECTED);
                assertThat(thread.result()).isGreaterThan(2000);
                assertThat(flood.ending()).as("all of it has completed").isNull();
            }
        }
    }

    @Test
    void pollingCompletesEverything() throws Exception {
        survives(side -> side.cq()::poll);
    }

    @Test
    void waitingCompletesEverything() throws Exception {
        survives(side -> into -> side.cq().await(into, Await.LIMIT));
    }
}
