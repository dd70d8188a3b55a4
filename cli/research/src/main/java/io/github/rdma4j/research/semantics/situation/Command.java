// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The commands that the kernel knows of an id, each in a form that is right apart from the situation; where a command
 * does different things depending on what it is told, more than one form of it. CREATE_ID and GET_EVENT, which are not
 * about an id, are missing.
 */
public enum Command {
    /** No command: shows the events that the situation causes by itself. */
    NONE((end, world) -> Observation.NONE),
    BIND(end -> end.cm.bind(end.id, Local.DEVICE)),
    BIND_IP(end -> end.cm.bindIp(end.id, Local.DEVICE)),
    RESOLVE_ADDR((end, world) -> end.cm
            .resolveAddr(end.id, null, world.listenerAddress, Local.TIMEOUT)
            .text()),
    RESOLVE_ADDR_UNROUTABLE(end -> end.cm.resolveAddr(end.id, null, Local.NOWHERE, Local.TIMEOUT)),
    RESOLVE_IP((end, world) ->
            end.cm.resolveIp(end.id, null, world.listenerAddress, Local.TIMEOUT).text()),
    RESOLVE_ROUTE(end -> end.cm.resolveRoute(end.id, Local.TIMEOUT)),
    RESOLVE_ROUTE_TIMEOUT_0(end -> end.cm.resolveRoute(end.id, Duration.ZERO)),
    QUERY_ADDR((end, world) -> Replies.addresses(end.cm.queryAddr(end.id))),
    QUERY_GID((end, world) -> Replies.gids(end.cm.queryGid(end.id))),
    QUERY_PATH((end, world) -> Replies.paths(end.cm.queryPath(end.id))),
    QUERY_IB_SERVICE(end -> end.cm.query(end.id, 3, 184)),
    QUERY_ROUTE((end, world) -> Replies.route(end.cm.queryRoute(end.id))),
    LISTEN(end -> end.cm.listen(end.id, World.BACKLOG)),
    CONNECT((end, world) -> end.cm.connect(end.id, world.parameters(end)).text()),
    CONNECT_INVALID(end -> end.cm.connectInvalid(end.id)),
    ACCEPT((end, world) -> end.cm.accept(end.id, end.uid, world.parameters(end)).text()),
    ESTABLISH(end -> end.cm.establish(end.id)),
    REJECT(end -> end.cm.reject(end.id)),
    DISCONNECT(end -> end.cm.disconnect(end.id)),
    INIT_QP_ATTR_INIT((end, world) -> Replies.mask(end.cm.initQpAttr(end.id, QpState.INIT.code()))),
    INIT_QP_ATTR_RTR((end, world) -> Replies.mask(end.cm.initQpAttr(end.id, QpState.RTR.code()))),
    INIT_QP_ATTR_RTS((end, world) -> Replies.mask(end.cm.initQpAttr(end.id, QpState.RTS.code()))),
    GET_OPTION(end -> end.cm.raw(13, new byte[24], 24, 0, -1, 0)),
    SET_OPTION_TOS(end -> end.cm.setOption(end.id, 0, 0, new byte[] {32})),
    SET_OPTION_REUSEADDR_1(end -> end.cm.setOption(end.id, 0, 1, Local.TRUE)),
    SET_OPTION_REUSEADDR_0(end -> end.cm.setOption(end.id, 0, 1, Local.FALSE)),
    SET_OPTION_AFONLY(end -> end.cm.setOption(end.id, 0, 2, Local.TRUE)),
    SET_OPTION_ACK_TIMEOUT(end -> end.cm.setOption(end.id, 0, 3, new byte[] {14})),
    SET_OPTION_IB_PATH(
            (end, world) -> end.cm.setOption(end.id, 1, 1, world.path).text()),
    SET_OPTION_UNKNOWN(end -> end.cm.setOption(end.id, 0, 99, Local.TRUE)),
    NOTIFY_COMM_EST(end -> end.cm.notify(end.id, 4)),
    NOTIFY_PATH_MIG(end -> end.cm.notify(end.id, 6)),
    JOIN_MCAST(end -> end.cm.joinMcast(end.id, end.joinUid, Local.GROUP, 0)),
    JOIN_MCAST_SEND_ONLY(end -> end.cm.joinMcast(end.id, end.joinUid, Local.GROUP, 1)),
    JOIN_IP_MCAST(end -> end.cm.joinIpMcast(end.id, end.joinUid, Local.GROUP)),
    LEAVE_MCAST((end, world) -> Replies.reported(end.cm.leaveMcast(end.join))),
    MIGRATE_ID((end, world) -> Replies.reported(world.third.migrateId(end.id, end.cm))),
    MIGRATE_ID_TO_SAME((end, world) -> Replies.reported(end.cm.migrateId(end.id, end.cm))),
    RESOLVE_IB_SERVICE(end -> end.cm.resolveIbService(end.id, 1, "", 1)),
    WRITE_CM_EVENT(end -> end.cm.writeCmEvent(end.id, 18, 7, 9)),
    DESTROY_ID((end, world) -> Replies.reported(end.cm.destroyId(end.id)));

    /** Addresses and values that the commands are given; an enum's constants cannot refer to its own statics. */
    static final class Local {
        static final InetSocketAddress DEVICE = new InetSocketAddress(Adapter.IPV4, 0);
        static final InetSocketAddress NOWHERE = new InetSocketAddress("192.0.2.1", 7174);
        static final InetSocketAddress GROUP = new InetSocketAddress("239.77.1.2", 0);
        static final Duration TIMEOUT = Duration.ofSeconds(10);
        static final byte[] TRUE = {1, 1, 1, 1};
        static final byte[] FALSE = new byte[4];

        private Local() {}
    }

    @SuppressWarnings("ImmutableEnumChecker") // a function of its arguments only
    private final BiFunction<End, World, String> give;

    Command(BiFunction<End, World, String> give) {
        this.give = give;
    }

    Command(Function<End, Answer> give) {
        this((end, world) -> give.apply(end).text());
    }

    /** All commands but NONE. */
    public static List<Command> given() {
        return List.of(values()).subList(1, values().length);
    }

    /** Whether it joins a group, which has an event in every situation, unless the command is refused. */
    boolean joins() {
        return this == JOIN_MCAST || this == JOIN_MCAST_SEND_ONLY || this == JOIN_IP_MCAST;
    }

    String give(End end, World world) {
        return give.apply(end, world);
    }
}
