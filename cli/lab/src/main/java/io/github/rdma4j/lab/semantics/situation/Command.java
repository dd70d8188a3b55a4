// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.situation;

import io.github.rdma4j.lab.semantics.guest.Rxe;
import io.github.rdma4j.lab.semantics.raw.Answer;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The commands that the kernel knows of an id, each in a form that is right apart from the situation; where a command
 * does different things depending on what it is told, more than one form of it. CREATE_ID and GET_EVENT, which are not
 * about an id, are missing.
 */
public enum Command {
    /** No command: shows the events that the situation causes by itself. */
    NONE(-1, (end, world) -> Observation.NONE),
    BIND(20, end -> end.cm.bind(end.id, Local.DEVICE)),
    BIND_IP(2, end -> end.cm.legacy().bindIp(end.id, Local.DEVICE)),
    RESOLVE_ADDR(
            21,
            (end, world) -> end.cm
                    .resolveAddr(end.id, null, world.listenerAddress, Local.TIMEOUT)
                    .text()),
    RESOLVE_ADDR_UNROUTABLE(21, end -> end.cm.resolveAddr(end.id, null, Local.NOWHERE, Local.TIMEOUT)),
    RESOLVE_IP(
            3,
            (end, world) -> end.cm
                    .legacy()
                    .resolveIp(end.id, null, world.listenerAddress, Local.TIMEOUT)
                    .text()),
    RESOLVE_ROUTE(4, end -> end.cm.resolveRoute(end.id, Local.TIMEOUT)),
    RESOLVE_ROUTE_TIMEOUT_0(4, end -> end.cm.resolveRoute(end.id, Duration.ZERO)),
    QUERY_ADDR(19, (end, world) -> Replies.addresses(end.cm.queryAddr(end.id))),
    QUERY_GID(19, (end, world) -> Replies.gids(end.cm.queryGid(end.id))),
    QUERY_PATH(19, (end, world) -> Replies.paths(end.cm.queryPath(end.id))),
    QUERY_IB_SERVICE(19, end -> end.cm.query(end.id, 3, 184)),
    QUERY_ROUTE(5, (end, world) -> Replies.route(end.cm.legacy().queryRoute(end.id))),
    LISTEN(7, end -> end.cm.listen(end.id, World.BACKLOG)),
    CONNECT(6, (end, world) -> end.cm.connect(end.id, world.parameters(end)).text()),
    CONNECT_INVALID(6, end -> end.cm.connectInvalid(end.id)),
    ACCEPT(
            8,
            (end, world) ->
                    end.cm.accept(end.id, end.uid, world.parameters(end)).text()),
    ESTABLISH(8, end -> end.cm.establish(end.id)),
    REJECT(9, end -> end.cm.reject(end.id)),
    DISCONNECT(10, end -> end.cm.disconnect(end.id)),
    INIT_QP_ATTR_INIT(11, (end, world) -> Replies.mask(end.cm.initQpAttr(end.id, QpState.INIT.code()))),
    INIT_QP_ATTR_RTR(11, (end, world) -> Replies.mask(end.cm.initQpAttr(end.id, QpState.RTR.code()))),
    INIT_QP_ATTR_RTS(11, (end, world) -> Replies.mask(end.cm.initQpAttr(end.id, QpState.RTS.code()))),
    GET_OPTION(13, end -> end.cm.raw(13, new byte[24], 24, 0, -1, 0)),
    SET_OPTION_TOS(14, end -> end.cm.setOption(end.id, 0, 0, new byte[] {32})),
    SET_OPTION_REUSEADDR_1(14, end -> end.cm.setOption(end.id, 0, 1, Local.TRUE)),
    SET_OPTION_REUSEADDR_0(14, end -> end.cm.setOption(end.id, 0, 1, Local.FALSE)),
    SET_OPTION_AFONLY(14, end -> end.cm.setOption(end.id, 0, 2, Local.TRUE)),
    SET_OPTION_ACK_TIMEOUT(14, end -> end.cm.setOption(end.id, 0, 3, new byte[] {14})),
    SET_OPTION_IB_PATH(
            14, (end, world) -> end.cm.setOption(end.id, 1, 1, world.path).text()),
    SET_OPTION_UNKNOWN(14, end -> end.cm.setOption(end.id, 0, 99, Local.TRUE)),
    NOTIFY_COMM_EST(15, end -> end.cm.notify(end.id, 4)),
    NOTIFY_PATH_MIG(15, end -> end.cm.notify(end.id, 6)),
    JOIN_MCAST(22, end -> end.cm.joinMcast(end.id, end.joinUid, Local.GROUP, 0)),
    JOIN_MCAST_SEND_ONLY(22, end -> end.cm.joinMcast(end.id, end.joinUid, Local.GROUP, 1)),
    JOIN_IP_MCAST(16, end -> end.cm.legacy().joinIpMcast(end.id, end.joinUid, Local.GROUP)),
    LEAVE_MCAST(17, (end, world) -> Replies.reported(end.cm.leaveMcast(end.join))),
    MIGRATE_ID(18, (end, world) -> Replies.reported(world.third.migrateId(end.id, end.cm))),
    MIGRATE_ID_TO_SAME(18, (end, world) -> Replies.reported(end.cm.migrateId(end.id, end.cm))),
    RESOLVE_IB_SERVICE(23, end -> end.cm.resolveIbService(end.id, 1, "", 1)),
    WRITE_CM_EVENT(24, end -> end.cm.writeCmEvent(end.id, 18, 7, 9)),
    DESTROY_ID(1, (end, world) -> Replies.reported(end.cm.destroyId(end.id)));

    /** Addresses and values that the commands are given; an enum's constants cannot refer to its own statics. */
    static final class Local {
        static final InetSocketAddress DEVICE = new InetSocketAddress(Rxe.IPV4, 0);
        static final InetSocketAddress NOWHERE = new InetSocketAddress("192.0.2.1", 7174);
        static final InetSocketAddress GROUP = new InetSocketAddress("239.77.1.2", 0);
        static final Duration TIMEOUT = Duration.ofSeconds(10);
        static final byte[] TRUE = {1, 1, 1, 1};
        static final byte[] FALSE = new byte[4];

        private Local() {}
    }

    private final int number;

    @SuppressWarnings("ImmutableEnumChecker") // a function of its arguments only
    private final BiFunction<End, World, String> give;

    Command(int number, BiFunction<End, World, String> give) {
        this.number = number;
        this.give = give;
    }

    Command(int number, Function<End, Answer> give) {
        this(number, (end, world) -> give.apply(end).text());
    }

    /** The kernel's number of the command, negative for none. */
    int number() {
        return number;
    }

    String give(End end, World world) {
        return give.apply(end, world);
    }
}
