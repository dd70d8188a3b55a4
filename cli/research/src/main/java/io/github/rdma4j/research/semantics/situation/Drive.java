// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.guest.Program;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.Fence;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Function;

/** The ways into the situations. Each method moves all cells of a world into one situation. */
final class Drive {
    static final Function<Cell, End> ACTIVE = cell -> cell.active;
    static final Function<Cell, End> PASSIVE = cell -> cell.passive;

    /** An unused address on the device's network; a neighbour entry makes the address look used. */
    static final String DEAF = "10.77.0.98";

    /** A group whose prefix the subnet manager keeps for groups that it chooses itself. */
    private static final IbSocketAddress REFUSED =
            new IbSocketAddress(0xffff, new Gid(0xff12_a01b_ffff_0000L, 0x4321), 0, 0, 0);

    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration NEVER = Duration.ofMinutes(30);

    private Drive() {}

    static void idle(World world) {
        world.create(ACTIVE);
    }

    static void anonymous(World world) {
        world.create(ACTIVE, true);
    }

    static void bound(World world) {
        bound(world, Adapter.IPV4);
    }

    static void boundAny(World world) {
        bound(world, "0.0.0.0");
    }

    static void boundLoopback(World world) {
        bound(world, "127.0.0.1");
    }

    static void boundV6(World world) {
        bound(world, Adapter.IPV6);
    }

    private static void bound(World world, String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        world.create(ACTIVE).each(ACTIVE, "BIND", end -> end.cm.bind(end.id, address));
    }

    private static void resolve(World world, InetSocketAddress address, Duration timeout) {
        world.create(ACTIVE).each(ACTIVE, "RESOLVE_ADDR", end -> end.cm.resolveAddr(end.id, null, address, timeout));
    }

    static void resolving(World world) {
        resolve(world, new InetSocketAddress(Adapter.SILENT, 7174), NEVER);
    }

    static void addressError(World world) throws RdmaException, InterruptedException {
        resolve(world, new InetSocketAddress(Adapter.SILENT, 7174), SOON);
        world.await(ACTIVE, CmEventType.ADDR_ERROR.code());
    }

    static void addressResolvedUnseen(World world) {
        resolve(world, world.listenerAddress, Command.Local.TIMEOUT);
    }

    static void addressResolved(World world) throws RdmaException, InterruptedException {
        addressResolvedUnseen(world);
        world.await(ACTIVE, CmEventType.ADDR_RESOLVED.code());
    }

    static void addressResolvedLoopback(World world) throws RdmaException, InterruptedException {
        resolve(
                world,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), world.listenerAddress.getPort()),
                Command.Local.TIMEOUT);
        world.await(ACTIVE, CmEventType.ADDR_RESOLVED.code());
    }

    /** While the subnet manager is silent. */
    static void resolvingRoute(World world) throws RdmaException, InterruptedException {
        addressResolved(world);
        world.each(ACTIVE, "RESOLVE_ROUTE", end -> end.cm.resolveRoute(end.id, NEVER));
    }

    static void routeError(World world) throws RdmaException, InterruptedException {
        Program.run(
                "ip",
                "neighbor",
                "replace",
                DEAF,
                "lladdr",
                Adapter.strangeHardware(98),
                "dev",
                Adapter.NETDEV,
                "nud",
                "permanent");
        resolve(world, new InetSocketAddress(DEAF, 7174), Command.Local.TIMEOUT);
        world.await(ACTIVE, CmEventType.ADDR_RESOLVED.code())
                .each(ACTIVE, "RESOLVE_ROUTE", end -> end.cm.resolveRoute(end.id, Command.Local.TIMEOUT))
                .await(ACTIVE, CmEventType.ROUTE_ERROR.code());
    }

    static void routeResolvedUnseen(World world) throws RdmaException, InterruptedException {
        addressResolved(world);
        world.each(ACTIVE, "RESOLVE_ROUTE", end -> end.cm.resolveRoute(end.id, Command.Local.TIMEOUT));
    }

    static void routeResolved(World world) throws RdmaException, InterruptedException {
        routeResolvedUnseen(world);
        world.await(ACTIVE, CmEventType.ROUTE_RESOLVED.code());
    }

    static void listening(World world) {
        listening(world, Adapter.IPV4);
    }

    static void listeningAny(World world) {
        listening(world, "0.0.0.0");
    }

    private static void listening(World world, String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        world.create(PASSIVE)
                .each(PASSIVE, "BIND", end -> end.cm.bind(end.id, address))
                .each(PASSIVE, "LISTEN", end -> end.cm.listen(end.id, World.BACKLOG));
    }

    static void listeningUnbound(World world) {
        world.create(PASSIVE).each(PASSIVE, "LISTEN", end -> end.cm.listen(end.id, World.BACKLOG));
    }

    private static void join(World world, SocketAddress group) {
        bound(world);
        world.each(ACTIVE, "JOIN_MCAST", end -> {
            Answer answer = end.cm.joinMcast(end.id, end.joinUid, group, 0);
            end.join = answer.isOk() ? answer.first() : end.join;
            return answer;
        });
    }

    static void joinFailed(World world) throws RdmaException, InterruptedException {
        join(world, REFUSED);
        world.await(ACTIVE, CmEventType.MULTICAST_ERROR.code());
    }

    static void joinedUnseen(World world) {
        join(world, Command.Local.GROUP);
    }

    static void joined(World world) throws RdmaException, InterruptedException {
        join(world, Command.Local.GROUP);
        world.await(ACTIVE, CmEventType.MULTICAST_JOIN.code());
    }

    static void left(World world) throws RdmaException, InterruptedException {
        joined(world);
        world.each(ACTIVE, "LEAVE_MCAST", end -> end.cm.leaveMcast(end.join));
    }

    static void migrated(World world) throws RdmaException, InterruptedException {
        routeResolved(world);
        world.each(ACTIVE, "MIGRATE_ID", end -> world.third.migrateId(end.id, end.cm));
    }

    static void migratedAndFollowed(World world) throws RdmaException, InterruptedException {
        migrated(world);
        world.cells.forEach(cell -> cell.active.cm = world.third);
    }

    static void destroyed(World world) {
        world.create(ACTIVE).each(ACTIVE, "DESTROY_ID", end -> end.cm.destroyId(end.id));
    }

    static void neverCreated(World world) {
        world.cells.forEach(cell -> cell.active.id = End.NO_ID);
    }

    // ---- two ids, of connections and of datagrams

    static void connecting(World world) throws RdmaException, InterruptedException {
        routeResolved(world);
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
        connectTo(world, address, end -> end.cm.resolveRoute(end.id, Command.Local.TIMEOUT));
    }

    private static void connectTo(World world, InetSocketAddress address, World.Action route)
            throws RdmaException, InterruptedException {
        world.create(ACTIVE)
                .each(ACTIVE, "RESOLVE_ADDR", end -> end.cm.resolveAddr(end.id, null, address, Command.Local.TIMEOUT))
                .await(ACTIVE, CmEventType.ADDR_RESOLVED.code())
                .each(ACTIVE, "RESOLVE_ROUTE", route)
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
        InetSocketAddress deaf = new InetSocketAddress(DEAF, 7174);
        if (Adapter.IS_INFINIBAND) {
            // The subnet manager knows no path to an address that nobody has.
            byte[] path = Fence.toNobody(world.path);
            connectTo(world, deaf, end -> end.cm.setOption(end.id, 1, 1, path));
        } else {
            connectTo(world, deaf);
        }
        world.awaitPatiently(ACTIVE, CmEventType.UNREACHABLE.code());
    }
}
