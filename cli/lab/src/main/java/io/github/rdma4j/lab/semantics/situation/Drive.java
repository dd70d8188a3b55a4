// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.situation;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.semantics.guest.Rxe;
import io.github.rdma4j.lab.semantics.raw.Answer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Function;

/** The ways into the situations: each takes all cells of a world one step further than the one before it. */
final class Drive {
    static final Function<Cell, End> ACTIVE = cell -> cell.active;
    static final Function<Cell, End> PASSIVE = cell -> cell.passive;

    /** An unused address on the device's network; a neighbour entry makes the address look used. */
    static final String DEAF = "10.77.0.98";

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
        bound(world, Rxe.IPV4);
    }

    static void boundAny(World world) {
        bound(world, "0.0.0.0");
    }

    static void boundLoopback(World world) {
        bound(world, "127.0.0.1");
    }

    static void boundV6(World world) {
        bound(world, Rxe.IPV6);
    }

    private static void bound(World world, String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        world.create(ACTIVE).each(ACTIVE, "BIND", end -> end.cm.bind(end.id, address));
    }

    private static void resolve(World world, InetSocketAddress address, Duration timeout) {
        world.create(ACTIVE).each(ACTIVE, "RESOLVE_ADDR", end -> end.cm.resolveAddr(end.id, null, address, timeout));
    }

    static void resolving(World world) {
        resolve(world, new InetSocketAddress(Rxe.SILENT, 7174), NEVER);
    }

    static void addressError(World world) throws RdmaException, InterruptedException {
        resolve(world, new InetSocketAddress(Rxe.SILENT, 7174), SOON);
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

    static void routeResolvedUnseen(World world) throws RdmaException, InterruptedException {
        addressResolved(world);
        world.each(ACTIVE, "RESOLVE_ROUTE", end -> end.cm.resolveRoute(end.id, Command.Local.TIMEOUT));
    }

    static void routeResolved(World world) throws RdmaException, InterruptedException {
        routeResolvedUnseen(world);
        world.await(ACTIVE, CmEventType.ROUTE_RESOLVED.code());
    }

    static void listening(World world) {
        listening(world, Rxe.IPV4);
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

    private static void join(World world) {
        bound(world);
        world.each(ACTIVE, "JOIN_MCAST", end -> {
            Answer answer = end.cm.joinMcast(end.id, end.joinUid, Command.Local.GROUP, 0);
            end.join = answer.isOk() ? answer.first() : end.join;
            return answer;
        });
    }

    static void joinedUnseen(World world) {
        join(world);
    }

    static void joined(World world) throws RdmaException, InterruptedException {
        join(world);
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
}
