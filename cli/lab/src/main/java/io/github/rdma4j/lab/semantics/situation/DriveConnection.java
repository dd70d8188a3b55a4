// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.situation;

import static io.github.rdma4j.lab.semantics.situation.Drive.ACTIVE;
import static io.github.rdma4j.lab.semantics.situation.Drive.PASSIVE;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.util.function.Function;

/** The ways into the situations that take two ids, of connections and of datagrams. */
final class DriveConnection {
    private DriveConnection() {}

    static void connecting(World world) throws RdmaException, InterruptedException {
        Drive.routeResolved(world);
        connect(world);
    }

    private static void connect(World world) {
        world.each(ACTIVE, "CONNECT", end -> end.cm.connect(end.id, world.parameters(end)));
    }

    /** Connects to a port without a listener; fetches no event. */
    static void connectedToNobodyUnseen(World world) throws RdmaException, InterruptedException {
        connectTo(world, new InetSocketAddress(world.listenerAddress.getAddress(), 19_999));
    }

    private static void connectTo(World world, InetSocketAddress address) throws RdmaException, InterruptedException {
        world.create(ACTIVE)
                .each(ACTIVE, "RESOLVE_ADDR", end -> end.cm.resolveAddr(end.id, null, address, Command.Local.TIMEOUT))
                .await(ACTIVE, CmEventType.ADDR_RESOLVED.code())
                .each(ACTIVE, "RESOLVE_ROUTE", end -> end.cm.resolveRoute(end.id, Command.Local.TIMEOUT))
                .await(ACTIVE, CmEventType.ROUTE_RESOLVED.code());
        connect(world);
    }

    static void refusedByNobody(World world) throws RdmaException, InterruptedException {
        connectedToNobodyUnseen(world);
        world.await(ACTIVE, refusal(world));
    }

    /** The event by which an active id hears that it was rejected. */
    private static int refusal(World world) {
        return world.isDatagram() ? CmEventType.UNREACHABLE.code() : CmEventType.REJECTED.code();
    }

    static void requested(World world) throws RdmaException, InterruptedException {
        connecting(world);
        world.await(PASSIVE, CmEventType.CONNECT_REQUEST.code());
    }

    static void requestedByNobody(World world) throws RdmaException, InterruptedException {
        requested(world);
        destroy(world, ACTIVE);
    }

    private static void destroy(World world, Function<Cell, End> which) {
        world.each(which, "DESTROY_ID", end -> end.cm.destroyId(end.id));
    }

    private static void reject(World world, Function<Cell, End> which) {
        world.each(which, "REJECT", end -> end.cm.reject(end.id));
    }

    static void refusedUnseen(World world) throws RdmaException, InterruptedException {
        requested(world);
        reject(world, PASSIVE);
    }

    static void refused(World world) throws RdmaException, InterruptedException {
        refusedUnseen(world);
        world.await(ACTIVE, refusal(world));
    }

    /** REP or SIDR_REP sent; the active side has not fetched anything. */
    static void accepting(World world) throws RdmaException, InterruptedException {
        requested(world);
        world.each(PASSIVE, "ACCEPT", end -> end.cm.accept(end.id, end.uid, world.parameters(end)));
    }

    static void responded(World world) throws RdmaException, InterruptedException {
        accepting(world);
        world.await(ACTIVE, CmEventType.CONNECT_RESPONSE.code());
    }

    static void respondedAndGone(World world) throws RdmaException, InterruptedException {
        responded(world);
        destroy(world, PASSIVE);
    }

    static void respondedAndRejected(World world) throws RdmaException, InterruptedException {
        responded(world);
        reject(world, ACTIVE);
        world.await(PASSIVE, CmEventType.REJECTED.code());
    }

    static void respondedAndDisconnected(World world) throws RdmaException, InterruptedException {
        responded(world);
        disconnect(world, ACTIVE);
    }

    static void acceptingAndDisconnected(World world) throws RdmaException, InterruptedException {
        responded(world);
        disconnect(world, PASSIVE);
    }

    static void establishedUnseen(World world) throws RdmaException, InterruptedException {
        responded(world);
        world.each(ACTIVE, "ACCEPT", end -> end.cm.establish(end.id));
    }

    static void established(World world) throws RdmaException, InterruptedException {
        establishedUnseen(world);
        world.await(PASSIVE, CmEventType.ESTABLISHED.code());
    }

    static void datagramEstablished(World world) throws RdmaException, InterruptedException {
        accepting(world);
        world.await(ACTIVE, CmEventType.ESTABLISHED.code());
    }

    private static void disconnect(World world, Function<Cell, End> which) {
        world.each(which, "DISCONNECT", end -> end.cm.disconnect(end.id));
    }

    static void disconnectingUnseen(World world) throws RdmaException, InterruptedException {
        established(world);
        disconnect(world, ACTIVE);
    }

    /** The active side has asked for the end, the passive side has heard of it and says nothing. */
    static void disconnecting(World world) throws RdmaException, InterruptedException {
        disconnectingUnseen(world);
        world.await(PASSIVE, CmEventType.DISCONNECTED.code());
    }

    static void disconnectingPassive(World world) throws RdmaException, InterruptedException {
        established(world);
        disconnect(world, PASSIVE);
        world.await(ACTIVE, CmEventType.DISCONNECTED.code());
    }

    static void disconnected(World world) throws RdmaException, InterruptedException {
        disconnecting(world);
        disconnect(world, PASSIVE);
        world.await(ACTIVE, CmEventType.DISCONNECTED.code());
    }

    static void timeWaitOver(World world) throws RdmaException, InterruptedException {
        disconnected(world);
        world.await(ACTIVE, CmEventType.TIMEWAIT_EXIT.code());
        world.await(PASSIVE, CmEventType.TIMEWAIT_EXIT.code());
    }

    /** The request is never answered, because the peer does not exist. */
    static void unreachable(World world) throws RdmaException, InterruptedException {
        connectTo(world, new InetSocketAddress(Drive.DEAF, 7174));
        world.awaitPatiently(ACTIVE, CmEventType.UNREACHABLE.code());
    }
}
