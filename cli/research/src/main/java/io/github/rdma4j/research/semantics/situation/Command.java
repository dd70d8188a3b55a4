// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Answer;
import io.github.rdma4j.research.semantics.kernel.RawId;
import io.github.rdma4j.research.semantics.situation.Cell.End;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The commands that the kernel knows of an id, each in a form that is right apart from the situation; where a command
 * does different things depending on what it is told, more than one form of it. CREATE_ID and GET_EVENT, which are not
 * about an id, are missing.
 */
public enum Command {
    /** No command: shows the events that the situation causes by itself. */
    NONE((end, world) -> Observation.NONE),
    BIND(id -> id.bind(Local.DEVICE)),
    BIND_IP(id -> id.bindIp(Local.DEVICE)),
    RESOLVE_ADDR((end, world) ->
            end.id.resolveAddr(null, world.listenerAddress, Local.TIMEOUT).text()),
    RESOLVE_ADDR_UNROUTABLE(id -> id.resolveAddr(null, Local.NOWHERE, Local.TIMEOUT)),
    RESOLVE_IP((end, world) ->
            end.id.resolveIp(world.listenerAddress, Local.TIMEOUT).text()),
    RESOLVE_ROUTE(id -> id.resolveRoute(Local.TIMEOUT)),
    RESOLVE_ROUTE_TIMEOUT_0(id -> id.resolveRoute(Duration.ZERO)),
    QUERY_ADDR((end, world) -> Replies.addresses(end.id.queryAddr())),
    QUERY_GID((end, world) -> Replies.gids(end.id.queryGid())),
    QUERY_PATH((end, world) -> Replies.paths(end.id.queryPath())),
    QUERY_IB_SERVICE(id -> id.query(3, 184)),
    QUERY_ROUTE((end, world) -> Replies.route(end.id.queryRoute())),
    LISTEN(id -> id.listen(World.BACKLOG)),
    CONNECT((end, world) -> end.id.connect(world.parameters(end)).text()),
    CONNECT_INVALID(RawId::connectInvalid),
    ACCEPT((end, world) -> end.id.accept(world.parameters(end)).text()),
    ESTABLISH(RawId::establish),
    REJECT(RawId::reject),
    DISCONNECT(RawId::disconnect),
    INIT_QP_ATTR_INIT((end, world) -> Replies.mask(end.id.initQpAttr(RawId.INIT))),
    INIT_QP_ATTR_RTR((end, world) -> Replies.mask(end.id.initQpAttr(RawId.RTR))),
    INIT_QP_ATTR_RTS((end, world) -> Replies.mask(end.id.initQpAttr(RawId.RTS))),
    GET_OPTION(id -> id.cm().raw(13, new byte[24], 24, 0, -1, 0)),
    SET_OPTION_TOS(id -> id.setByte(0, 32)),
    SET_OPTION_REUSEADDR_1(id -> id.setOption(0, 1, Local.TRUE)),
    SET_OPTION_REUSEADDR_0(id -> id.setInt(1, 0)),
    SET_OPTION_AFONLY(id -> id.setOption(0, 2, Local.TRUE)),
    SET_OPTION_ACK_TIMEOUT(id -> id.setByte(3, 14)),
    SET_OPTION_IB_PATH((end, world) -> end.id.setOption(1, 1, world.path).text()),
    SET_OPTION_UNKNOWN(id -> id.setOption(0, 99, Local.TRUE)),
    NOTIFY_COMM_EST(id -> id.notify(4)),
    NOTIFY_PATH_MIG(id -> id.notify(6)),
    JOIN_MCAST((end, world) -> end.id.join(Local.GROUP, end.joinUid, 0).text()),
    JOIN_MCAST_SEND_ONLY(
            (end, world) -> end.id.join(Local.GROUP, end.joinUid, 1).text()),
    JOIN_IP_MCAST((end, world) -> end.id.joinIpMcast(Local.GROUP, end.joinUid).text()),
    LEAVE_MCAST((end, world) -> Replies.reported(end.id.cm().leaveMcast(end.join))),
    MIGRATE_ID((end, world) -> Replies.reported(end.id.migrateTo(world.third))),
    MIGRATE_ID_TO_SAME((end, world) -> Replies.reported(end.id.migrateTo(end.id.cm()))),
    RESOLVE_IB_SERVICE(id -> id.resolveIbService(1)),
    WRITE_CM_EVENT(id -> id.writeCmEvent(18, 7, 9)),
    DESTROY_ID((end, world) -> Replies.reported(end.id.destroy()));

    /** Addresses and values that the commands are given; an enum's constants cannot refer to its own statics. */
    static final class Local {
        static final InetSocketAddress DEVICE = new InetSocketAddress(Adapter.IPV4, 0);
        static final InetSocketAddress NOWHERE = new InetSocketAddress("192.0.2.1", 7174);
        static final InetSocketAddress GROUP = new InetSocketAddress("239.77.1.2", 0);
        static final Duration TIMEOUT = Duration.ofSeconds(10);
        static final byte[] TRUE = {1, 1, 1, 1};

        private Local() {}
    }

    @SuppressWarnings("ImmutableEnumChecker") // a function of its arguments only
    private final BiFunction<End, World, String> give;

    Command(BiFunction<End, World, String> give) {
        this.give = give;
    }

    Command(Function<RawId, Answer> give) {
        this((end, world) -> give.apply(end.id).text());
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

    /** The contents of replies as short texts, without values that differ between runs. */
    private static final class Replies {
        /** Offsets in {@code struct rdma_ucm_query_route_resp}. */
        private static final int ROUTE_PATHS = 192;

        private static final int ROUTE_PORT = 196;

        private Replies() {}

        private static String text(Answer answer, Function<Answer, String> reply) {
            return answer.isOk() ? "OK " + reply.apply(answer) : answer.text();
        }

        /** The count of events of an id that were fetched. */
        static String reported(Answer answer) {
            return text(answer, reply -> "reported=" + reply.first());
        }

        static String mask(Answer answer) {
            return text(
                    answer,
                    reply -> "mask=0x" + Integer.toHexString(reply.buffer().getInt(QpAttrBytes.QP_ATTR_MASK)));
        }

        static String paths(Answer answer) {
            return text(answer, reply -> "paths=" + reply.first());
        }

        static String route(Answer answer) {
            return text(
                    answer,
                    reply -> "paths=" + reply.buffer().getInt(ROUTE_PATHS) + " port="
                            + reply.buffer().get(ROUTE_PORT));
        }

        static String addresses(Answer answer) {
            return text(answer, reply -> {
                QueryAddrReply addresses = QueryAddrReply.decode(reply.buffer(), 0);
                return "src=" + kind(addresses.src()) + " dst=" + kind(addresses.dst()) + " port="
                        + addresses.portNum();
            });
        }

        private static String kind(@Nullable SocketAddress socketAddress) {
            if (socketAddress == null) {
                return "none";
            }
            if (!(socketAddress instanceof InetSocketAddress address)) {
                return "ib";
            }
            String port = address.getPort() == 0 ? "" : ":port";
            if (address.getAddress().isAnyLocalAddress()) {
                return "any" + port;
            }
            return (address.getAddress().isLoopbackAddress() ? "loopback" : "ip") + port;
        }

        static String gids(Answer answer) {
            return text(answer, reply -> {
                QueryGidReply gids = QueryGidReply.decode(reply.buffer(), 0);
                return "src=" + kind(gids.sgid()) + " dst=" + kind(gids.dgid());
            });
        }

        private static String kind(Gid gid) {
            return gid.isZero() ? "zero" : "gid";
        }
    }
}
