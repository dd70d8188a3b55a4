// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import static io.github.rdma4j.research.semantics.situation.World.ACTIVE;
import static io.github.rdma4j.research.semantics.situation.World.PASSIVE;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.Fence;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.research.semantics.situation.Cell.End;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ways that take all cells of a world into a situation. Most go on where another one ends. */
enum Way {
    IDLE(world -> world.create(ACTIVE, false)),
    ANONYMOUS(world -> world.create(ACTIVE, true)),
    BOUND(world -> bind(world, Adapter.IPV4)),
    BOUND_ANY(world -> bind(world, "0.0.0.0")),
    BOUND_LOOPBACK(world -> bind(world, "127.0.0.1")),
    BOUND_V6(world -> bind(world, Adapter.IPV6)),
    RESOLVING(world -> resolve(world, Local.SILENT, Local.NEVER)),
    ADDRESS_ERROR(world -> resolve(world, Local.SILENT, Local.SOON).await(ACTIVE, CmEventType.ADDR_ERROR)),
    ADDRESS_RESOLVED_UNSEEN(world -> resolve(world, world.listenerAddress, Command.Local.TIMEOUT)),
    ADDRESS_RESOLVED(ADDRESS_RESOLVED_UNSEEN, ACTIVE, CmEventType.ADDR_RESOLVED),
    ADDRESS_RESOLVED_LOOPBACK(world ->
            resolved(world, new InetSocketAddress(InetAddress.getLoopbackAddress(), world.listenerAddress.getPort()))),
    /** While the subnet manager is silent. */
    RESOLVING_ROUTE(ADDRESS_RESOLVED, ACTIVE, "RESOLVE_ROUTE", id -> id.resolveRoute(Local.NEVER)),
    ROUTE_ERROR(world -> {
        Adapter.deafen();
        return resolved(world, Local.DEAF)
                .each(ACTIVE, "RESOLVE_ROUTE", Way::resolveRoute)
                .await(ACTIVE, CmEventType.ROUTE_ERROR);
    }),
    ROUTE_RESOLVED_UNSEEN(ADDRESS_RESOLVED, ACTIVE, "RESOLVE_ROUTE", Way::resolveRoute),
    ROUTE_RESOLVED(ROUTE_RESOLVED_UNSEEN, ACTIVE, CmEventType.ROUTE_RESOLVED),
    LISTENING(world -> listen(world, Adapter.IPV4)),
    LISTENING_ANY(world -> listen(world, "0.0.0.0")),
    LISTENING_UNBOUND(world -> world.create(PASSIVE, false).each(PASSIVE, "LISTEN", id -> id.listen(World.BACKLOG))),
    JOIN_FAILED(world -> join(world, Local.REFUSED).await(ACTIVE, CmEventType.MULTICAST_ERROR)),
    JOINED_UNSEEN(world -> join(world, Command.Local.GROUP)),
    JOINED(JOINED_UNSEEN, ACTIVE, CmEventType.MULTICAST_JOIN),
    LEFT(JOINED, world -> world.on(ACTIVE, "LEAVE_MCAST", end -> end.id.cm().leaveMcast(end.join))),
    MIGRATED(ROUTE_RESOLVED, world -> world.each(ACTIVE, "MIGRATE_ID", id -> id.migrateTo(world.third))),
    MIGRATED_AND_FOLLOWED(MIGRATED, world -> {
        world.cells.forEach(cell -> cell.active.id = cell.active.id.on(world.third));
        return world;
    }),
    DESTROYED(IDLE, ACTIVE, "DESTROY_ID", RawId::destroy),
    NEVER_CREATED(world -> world),

    // ---- two ids, of connections and of datagrams

    CONNECTING(ROUTE_RESOLVED, Way::connect),
    REFUSED_BY_NOBODY(world -> connectTo(
                    world, new InetSocketAddress(world.listenerAddress.getAddress(), 19_999), Way::resolveRoute)
            .await(ACTIVE, refusal(world))),
    REQUESTED(CONNECTING, PASSIVE, CmEventType.CONNECT_REQUEST),
    REQUESTED_BY_NOBODY(REQUESTED, ACTIVE, "DESTROY_ID", RawId::destroy),
    REFUSED_UNSEEN(REQUESTED, PASSIVE, "REJECT", RawId::reject),
    REFUSED(REFUSED_UNSEEN, world -> world.await(ACTIVE, refusal(world))),
    /** REP or SIDR_REP sent; the active side has not fetched anything. */
    ACCEPTING(REQUESTED, world -> world.on(PASSIVE, "ACCEPT", end -> end.id.accept(world.parameters(end)))),
    RESPONDED(ACCEPTING, ACTIVE, CmEventType.CONNECT_RESPONSE),
    RESPONDED_AND_GONE(RESPONDED, PASSIVE, "DESTROY_ID", RawId::destroy),
    RESPONDED_AND_REJECTED(
            RESPONDED, world -> world.each(ACTIVE, "REJECT", RawId::reject).await(PASSIVE, CmEventType.REJECTED)),
    RESPONDED_AND_DISCONNECTED(RESPONDED, ACTIVE, "DISCONNECT", RawId::disconnect),
    ACCEPTING_AND_DISCONNECTED(RESPONDED, PASSIVE, "DISCONNECT", RawId::disconnect),
    ESTABLISHED_UNSEEN(RESPONDED, ACTIVE, "ACCEPT", RawId::establish),
    ESTABLISHED(ESTABLISHED_UNSEEN, PASSIVE, CmEventType.ESTABLISHED),
    DATAGRAM_ESTABLISHED(ACCEPTING, ACTIVE, CmEventType.ESTABLISHED),
    DISCONNECTING_UNSEEN(ESTABLISHED, ACTIVE, "DISCONNECT", RawId::disconnect),
    /** The active side has asked for the end, the passive side has heard of it and says nothing. */
    DISCONNECTING(DISCONNECTING_UNSEEN, PASSIVE, CmEventType.DISCONNECTED),
    DISCONNECTING_PASSIVE(ESTABLISHED, Way::disconnectPassive),
    DISCONNECTED(DISCONNECTING, Way::disconnectPassive),
    TIME_WAIT_OVER(
            DISCONNECTED,
            world -> world.await(ACTIVE, CmEventType.TIMEWAIT_EXIT).await(PASSIVE, CmEventType.TIMEWAIT_EXIT)),
    /** The request is never answered, because the peer does not exist. */
    UNREACHABLE(world -> {
        // The subnet manager knows no path to an address that nobody has.
        byte[] path = Fence.toNobody(world.path);
        Function<RawId, Answer> route = Adapter.IS_INFINIBAND ? id -> id.setOption(1, 1, path) : Way::resolveRoute;
        return connectTo(world, Local.DEAF, route).awaitPatiently(ACTIVE, CmEventType.UNREACHABLE);
    });

    /** A part of a way; returns the world. */
    private interface Step {
        World take(World world) throws RdmaException, InterruptedException;
    }

    /** What the ways need; an enum's constants cannot refer to its own statics. */
    private static final class Local {
        static final InetSocketAddress SILENT = new InetSocketAddress(Adapter.SILENT, 7174);
        static final InetSocketAddress DEAF = new InetSocketAddress(Adapter.DEAF, 7174);

        /** A group whose prefix the subnet manager keeps for groups that it chooses itself. */
        static final IbSocketAddress REFUSED =
                new IbSocketAddress(0xffff, new Gid(0xff12_a01b_ffff_0000L, 0x4321), 0, 0, 0);

        static final Duration SOON = Duration.ofMillis(100);
        static final Duration NEVER = Duration.ofMinutes(30);
    }

    private final @Nullable Way first;

    @SuppressWarnings("ImmutableEnumChecker") // a function of its argument only
    private final Step then;

    Way(@Nullable Way first, Step then) {
        this.first = first;
        this.then = then;
    }

    Way(Step step) {
        this(null, step);
    }

    /** Goes on until that end of each cell has had the event. */
    Way(Way first, Function<Cell, End> which, CmEventType event) {
        this(first, world -> world.await(which, event));
    }

    /** Goes on with a command to that end of each cell. */
    Way(Way first, Function<Cell, End> which, String what, Function<RawId, Answer> command) {
        this(first, world -> world.each(which, what, command));
    }

    /** Takes all cells of the world this way. */
    void take(World world) throws RdmaException, InterruptedException {
        if (first != null) {
            first.take(world);
        }
        then.take(world);
    }

    private static World bind(World world, String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        return world.create(ACTIVE, false).each(ACTIVE, "BIND", id -> id.bind(address));
    }

    private static World listen(World world, String host) {
        InetSocketAddress address = new InetSocketAddress(host, 0);
        return world.create(PASSIVE, false)
                .each(PASSIVE, "BIND", id -> id.bind(address))
                .each(PASSIVE, "LISTEN", id -> id.listen(World.BACKLOG));
    }

    private static World resolve(World world, InetSocketAddress address, Duration timeout) {
        return world.create(ACTIVE, false).each(ACTIVE, "RESOLVE_ADDR", id -> id.resolveAddr(null, address, timeout));
    }

    private static World resolved(World world, InetSocketAddress address) throws RdmaException, InterruptedException {
        return resolve(world, address, Command.Local.TIMEOUT).await(ACTIVE, CmEventType.ADDR_RESOLVED);
    }

    private static Answer resolveRoute(RawId id) {
        return id.resolveRoute(Command.Local.TIMEOUT);
    }

    private static World connect(World world) {
        return world.on(ACTIVE, "CONNECT", end -> end.id.connect(world.parameters(end)));
    }

    private static World connectTo(World world, InetSocketAddress address, Function<RawId, Answer> route)
            throws RdmaException, InterruptedException {
        return connect(resolved(world, address)
                .each(ACTIVE, "RESOLVE_ROUTE", route)
                .await(ACTIVE, CmEventType.ROUTE_RESOLVED));
    }

    private static World join(World world, SocketAddress group) {
        return bind(world, Adapter.IPV4).on(ACTIVE, "JOIN_MCAST", end -> {
            Answer answer = end.id.join(group, end.joinUid, 0);
            end.join = answer.isOk() ? answer.first() : end.join;
            return answer;
        });
    }

    private static World disconnectPassive(World world) throws RdmaException, InterruptedException {
        return world.each(PASSIVE, "DISCONNECT", RawId::disconnect).await(ACTIVE, CmEventType.DISCONNECTED);
    }

    /** The event by which an active id hears that it was rejected. */
    private static CmEventType refusal(World world) {
        return world.isDatagram() ? CmEventType.UNREACHABLE : CmEventType.REJECTED;
    }
}
