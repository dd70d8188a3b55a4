// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The contents of replies as short texts, without values that differ between runs. */
final class Replies {
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
                answer, reply -> "mask=0x" + Integer.toHexString(reply.buffer().getInt(QpAttrBytes.QP_ATTR_MASK)));
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
            return "src=" + kind(addresses.src()) + " dst=" + kind(addresses.dst()) + " port=" + addresses.portNum();
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
