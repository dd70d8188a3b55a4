// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.flight.Flight;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Tells which connections go over RDMA and which over TCP: counts them, records them, and logs what a user may not expect. */
final class Decisions {
    private static final System.Logger LOG = System.getLogger("io.github.rdma4j.nio");
    private static final int MOST_TOLD = 4096;

    private final LongAdder connectedOverRdma = new LongAdder();
    private final LongAdder connectedOverTcp = new LongAdder();
    private final LongAdder acceptedOverRdma = new LongAdder();
    private final LongAdder acceptedOverTcp = new LongAdder();

    /** What was logged. */
    private final Set<Object> told = ConcurrentHashMap.newKeySet();

    /** A connection to {@code peer} is to go this way. */
    void connects(InetSocketAddress peer, boolean rdma, String reason) {
        record("connect", peer, rdma, reason);
    }

    /** A connection is made. */
    void connected(boolean rdma) {
        (rdma ? connectedOverRdma : connectedOverTcp).increment();
    }

    /** A connection from {@code peer} has come this way. */
    void accepts(InetSocketAddress peer, boolean rdma) {
        (rdma ? acceptedOverRdma : acceptedOverTcp).increment();
        record("accept", peer, rdma, "the peer has chosen");
    }

    /** A listener has got its port: over RDMA, or over TCP alone. */
    void listens(InetSocketAddress local, boolean rdma, String reason) {
        record("listen", local, rdma, reason);
    }

    private static void record(String side, InetSocketAddress peer, boolean rdma, String reason) {
        if (Flight.recordsRoutes()) {
            Flight.route(new Flight.RouteFacts(side, SocketAddresses.text(peer), rdma ? "RDMA" : "TCP", reason));
        }
    }

    /** Logs {@code words}, unless something with the same key was logged before. */
    void tell(Object key, String words) {
        if (told.size() < MOST_TOLD && told.add(key)) {
            LOG.log(System.Logger.Level.INFO, words);
        }
    }

    @Override
    public String toString() {
        return "connected " + connectedOverRdma + " over RDMA and " + connectedOverTcp + " over TCP, accepted "
                + acceptedOverRdma + " over RDMA and " + acceptedOverTcp + " over TCP";
    }
}
