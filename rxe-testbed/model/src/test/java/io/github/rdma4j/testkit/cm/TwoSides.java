// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.Polling;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel of clients, a channel of servers, and a listener on the latter. Closing closes all ids of both. */
final class TwoSides implements AutoCloseable {
    /** For what comes at once on a machine that is not busy. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    static final Duration RESOLVE = Duration.ofSeconds(2);

    private static final AtomicInteger QP_NUMBERS = new AtomicInteger(0x90_0000);

    private final Place place;
    private final EventChannel clients;
    private final EventChannel servers;
    private final CmId listener;

    /** The two ids of one connection. */
    record Pair(CmId client, CmId server) {}

    private TwoSides(Place place, PortSpace portSpace, int backlog) throws RdmaException {
        this.place = place;
        clients = EventChannel.open(place.kernel());
        servers = EventChannel.open(place.kernel());
        listener = servers.createId(portSpace);
        listener.bind(place.newAddress());
        listener.listen(backlog);
    }

    static TwoSides on(Place place) throws RdmaException {
        return on(place, PortSpace.TCP);
    }

    static TwoSides on(Place place, PortSpace portSpace) throws RdmaException {
        return new TwoSides(place, portSpace, 16);
    }

    static TwoSides withBacklog(Place place, int backlog) throws RdmaException {
        return new TwoSides(place, PortSpace.TCP, backlog);
    }

    Place place() {
        return place;
    }

    EventChannel clients() {
        return clients;
    }

    EventChannel servers() {
        return servers;
    }

    CmId listener() {
        return listener;
    }

    /** The next event, which must be of that type; it is acknowledged already. */
    static CmEvent expect(EventChannel channel, CmEventType type) throws RdmaException, InterruptedException {
        CmEvent event = channel.awaitEvent(LIMIT)
                .orElseThrow(() -> new AssertionError("no event where " + type + " was expected"));
        event.ack();
        if (event.type() != type) {
            throw new AssertionError(
                    "expected " + type + ", got " + event, event.failure().orElse(null));
        }
        return event;
    }

    /** Parameters of a connection without queue pairs: every request names the number of another one. */
    static ConnectionParameters.Builder parameters() {
        return ConnectionParameters.builder().qpNumber(QP_NUMBERS.incrementAndGet());
    }

    static ConnectionParameters saying(String text) {
        return parameters()
                .privateData(text.getBytes(StandardCharsets.US_ASCII))
                .build();
    }

    /** Private data as text; the kernel pads it with zeros. */
    static String text(byte[] privateData) {
        return new String(privateData, StandardCharsets.US_ASCII).replace("\0", "");
    }

    /** A client that knows the listener's address, and not the route. */
    CmId addressed() throws RdmaException, InterruptedException {
        return addressed(clients, listener);
    }

    private static CmId addressed(EventChannel channel, CmId listener) throws RdmaException, InterruptedException {
        CmId id = channel.createId(listener.portSpace());
        id.resolveAddress(listener.localAddress().orElseThrow(), RESOLVE);
        expect(channel, CmEventType.ADDR_RESOLVED);
        return id;
    }

    /** A client that may connect, without a queue pair. */
    CmId routed() throws RdmaException, InterruptedException {
        return routed(clients, listener);
    }

    /** A client on a channel that may connect to a listener. */
    static CmId routed(EventChannel channel, CmId listener) throws RdmaException, InterruptedException {
        CmId id = addressed(channel, listener);
        id.resolveRoute(RESOLVE);
        expect(channel, CmEventType.ROUTE_RESOLVED);
        return id;
    }

    /** A client whose request is on its way, without a queue pair. */
    CmId connecting() throws RdmaException, InterruptedException {
        CmId id = routed();
        id.connect(saying("hello"));
        return id;
    }

    /** Waits until a request is there to be retrieved, and does not retrieve it. */
    void awaitRequest() throws RdmaException, InterruptedException {
        if (!Polling.await(servers, Deadline.after(LIMIT))) {
            throw new AssertionError("no request came");
        }
    }

    /** The id of the next request. */
    CmId request() throws RdmaException, InterruptedException {
        return expect(servers, CmEventType.CONNECT_REQUEST).id();
    }

    /** A client that has asked, and a server that has not answered. */
    Pair requested() throws RdmaException, InterruptedException {
        CmId client = connecting();
        return new Pair(client, request());
    }

    /** A client that knows that it is accepted, and has not confirmed. */
    Pair responded() throws RdmaException, InterruptedException {
        Pair pair = requested();
        pair.server().accept(saying("welcome"));
        expect(clients, CmEventType.CONNECT_RESPONSE);
        return pair;
    }

    /** A connection without queue pairs, of which nothing is left to be retrieved. */
    Pair connected() throws RdmaException, InterruptedException {
        Pair pair = responded();
        pair.client().userManagedQp().establish();
        expect(servers, CmEventType.ESTABLISHED);
        return pair;
    }

    /** A connection with queue pairs, of which nothing is left to be retrieved. */
    Pair connectedWithQps() throws RdmaException, InterruptedException {
        CmId client = routed();
        client.createQp(QueuePairOptions.DEFAULT);
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = request();
        server.createQp(QueuePairOptions.DEFAULT);
        server.accept(ConnectionParameters.DEFAULT);
        expect(clients, CmEventType.ESTABLISHED);
        expect(servers, CmEventType.ESTABLISHED);
        return new Pair(client, server);
    }

    @Override
    public void close() throws RdmaException {
        try {
            clients.close();
        } finally {
            servers.close();
        }
    }
}
