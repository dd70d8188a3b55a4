// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel of clients, a channel of servers, and a listener on the latter. Closing closes all ids of both. */
public final class CmSides implements AutoCloseable {
    private static final AtomicInteger NUMBERS = new AtomicInteger(0x80_0000);

    private final EventChannel clients = EventChannel.open();
    private final EventChannel servers = EventChannel.open();
    private final CmId listener;

    /** The two ids of one connection. */
    public record Pair(CmId client, CmId server) {}

    /** The number of no queue pair, which no other connection is for: the kernel would take that one for stale. */
    public static int newQpNumber() {
        return NUMBERS.incrementAndGet();
    }

    /** For a connection without queue pairs. */
    public static ConnectionParameters withoutQp() {
        return ConnectionParameters.builder().qpNumber(newQpNumber()).build();
    }

    private CmSides(PortSpace portSpace) throws RdmaException {
        listener = servers.createId(portSpace);
        listener.bind(Rxe.newAddress());
        listener.listen(64);
    }

    public static CmSides open() throws RdmaException {
        return open(PortSpace.TCP);
    }

    public static CmSides open(PortSpace portSpace) throws RdmaException {
        return new CmSides(portSpace);
    }

    public EventChannel clients() {
        return clients;
    }

    public EventChannel servers() {
        return servers;
    }

    public CmId listener() {
        return listener;
    }

    /** A client that may connect, without a queue pair. */
    public CmId routed() throws RdmaException, InterruptedException {
        CmId id = addressed();
        id.resolveRoute(Loopback.RESOLVE);
        Events.expect(clients, CmEventType.ROUTE_RESOLVED);
        return id;
    }

    /** A client that knows the listener's address, and not the route. */
    public CmId addressed() throws RdmaException, InterruptedException {
        CmId id = clients.createId(listener.portSpace());
        id.resolveAddress(listener.localAddress().orElseThrow(), Loopback.RESOLVE);
        Events.expect(clients, CmEventType.ADDR_RESOLVED);
        return id;
    }

    /** A client with a queue pair whose request is on its way. */
    public CmId connecting() throws RdmaException, InterruptedException {
        CmId id = routed();
        id.createQp(QueuePairOptions.DEFAULT);
        id.connect(ConnectionParameters.DEFAULT);
        return id;
    }

    /** The id of the next request. */
    public CmId request() throws RdmaException, InterruptedException {
        return Events.expect(servers, CmEventType.CONNECT_REQUEST).id();
    }

    /** A client that has asked, and a server with a queue pair that has not answered. */
    public Pair requested() throws RdmaException, InterruptedException {
        CmId client = connecting();
        CmId server = request();
        server.createQp(QueuePairOptions.DEFAULT);
        return new Pair(client, server);
    }

    /** A connection of which nothing is left to be retrieved. */
    public Pair connected() throws RdmaException, InterruptedException {
        Pair pair = requested();
        pair.server().accept(ConnectionParameters.DEFAULT);
        Events.expect(clients, CmEventType.ESTABLISHED);
        Events.expect(servers, CmEventType.ESTABLISHED);
        return pair;
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
