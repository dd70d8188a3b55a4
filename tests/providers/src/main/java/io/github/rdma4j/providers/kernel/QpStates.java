// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask.*;

import io.github.rdma4j.internal.uverbs.ModifyQp;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQpReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.MemoryKey;
import io.github.rdma4j.providers.card.QpAttributes;
import io.github.rdma4j.providers.card.QpSpec;
import java.nio.ByteBuffer;
import java.util.Map;

/** MODIFY_QP and QUERY_QP, with the checks of the core: which state may follow which, and what must come with it. */
final class QpStates {
    /** How much further the attributes behind the addresses are in the reply of a query. */
    private static final int QUERY_SHIFT = QueryQpReply.QKEY - ModifyQp.Command.QKEY;

    /** Where in the command the attribute of a mask bit is, and its size. */
    private record Field(int at, int bytes) {}

    private static final Map<Integer, Field> FIELDS = Map.ofEntries(
            Map.entry(IBV_QP_AV, new Field(ModifyQp.Command.DEST, 32)),
            Map.entry(IBV_QP_ALT_PATH, new Field(ModifyQp.Command.ALT_DEST, 32)),
            Map.entry(IBV_QP_QKEY, new Field(ModifyQp.Command.QKEY, 4)),
            Map.entry(IBV_QP_RQ_PSN, new Field(ModifyQp.Command.RQ_PSN, 4)),
            Map.entry(IBV_QP_SQ_PSN, new Field(ModifyQp.Command.SQ_PSN, 4)),
            Map.entry(IBV_QP_DEST_QPN, new Field(ModifyQp.Command.DEST_QP_NUM, 4)),
            Map.entry(IBV_QP_ACCESS_FLAGS, new Field(ModifyQp.Command.QP_ACCESS_FLAGS, 4)),
            Map.entry(IBV_QP_PKEY_INDEX, new Field(ModifyQp.Command.PKEY_INDEX, 2)),
            Map.entry(IBV_QP_PATH_MTU, new Field(ModifyQp.Command.PATH_MTU, 1)),
            Map.entry(IBV_QP_PATH_MIG_STATE, new Field(ModifyQp.Command.PATH_MIG_STATE, 1)),
            Map.entry(IBV_QP_MAX_QP_RD_ATOMIC, new Field(ModifyQp.Command.MAX_RD_ATOMIC, 1)),
            Map.entry(IBV_QP_MAX_DEST_RD_ATOMIC, new Field(ModifyQp.Command.MAX_DEST_RD_ATOMIC, 1)),
            Map.entry(IBV_QP_MIN_RNR_TIMER, new Field(ModifyQp.Command.MIN_RNR_TIMER, 1)),
            Map.entry(IBV_QP_PORT, new Field(ModifyQp.Command.PORT_NUM, 1)),
            Map.entry(IBV_QP_TIMEOUT, new Field(ModifyQp.Command.TIMEOUT, 1)),
            Map.entry(IBV_QP_RETRY_CNT, new Field(ModifyQp.Command.RETRY_CNT, 1)),
            Map.entry(IBV_QP_RNR_RETRY, new Field(ModifyQp.Command.RNR_RETRY, 1)));

    private QpStates() {}

    static void modify(Hca hca, KernelObject.Handles handles, ByteBuffer core) throws Refusal {
        QueueObject.Qp qp = handles.get(QueueObject.Qp.class, core.getInt(ModifyQp.Command.QP_HANDLE));
        int mask = core.getInt(ModifyQp.Command.ATTR_MASK);
        CardQp card = qp.qp();
        int from = card.state();
        int to = (mask & IBV_QP_STATE) != 0 ? core.get(ModifyQp.Command.QP_STATE) : from;
        boolean iwarp = hca.settings().iwarp;
        int required = iwarp && isFree(from, to) ? 0 : required(card.spec().type(), from, to);
        Refusal.unless(required >= 0 && (mask & required) == required, Errno.EINVAL);
        boolean sameState = (mask & IBV_QP_CUR_STATE) == 0 || core.get(ModifyQp.Command.CUR_QP_STATE) == from;
        Refusal.unless(sameState, Errno.EINVAL);
        ByteBuffer attributes = qp.attributes();
        FIELDS.forEach((bit, field) -> {
            if ((mask & bit) != 0) {
                int shift = field.at() < ModifyQp.Command.QKEY ? 0 : QUERY_SHIFT;
                attributes.put(field.at() + shift, core, field.at(), field.bytes());
            }
        });
        card.attributes(taken(attributes));
        if ((mask & IBV_QP_STATE) != 0 && !(from == CardQp.ERR && to == CardQp.SQD)) {
            hca.card().moveQp(card, to);
        }
    }

    /** Whether a driver of iWARP asks for no attributes; in ERR it takes the end of the connection for granted. */
    private static boolean isFree(int from, int to) {
        return (from == CardQp.RESET && to == CardQp.INIT)
                || (to == CardQp.SQD && (from == CardQp.RTS || from == CardQp.ERR));
    }

    /**
     * Moves a queue pair of iWARP to RTS; of a peer its device checks the rights of the memory only. A message waits for a receive:
     * the device looks at one place of its doorbells after the other, and may see a send before a receive that was posted earlier.
     */
    static void connect(Hca hca, QueueObject.Qp qp, int peer) {
        int access = MemoryKey.LOCAL_WRITE | MemoryKey.REMOTE_WRITE | MemoryKey.REMOTE_READ | MemoryKey.REMOTE_ATOMIC;
        qp.attributes()
                .putInt(QueryQpReply.DEST_QP_NUM, peer)
                .putInt(QueryQpReply.QP_ACCESS_FLAGS, access)
                .put(QueryQpReply.RNR_RETRY, (byte) QpAttributes.FOREVER);
        qp.qp().attributes(taken(qp.attributes()));
        hca.card().moveQp(qp.qp(), CardQp.RTS);
    }

    private static QpAttributes taken(ByteBuffer attributes) {
        return new QpAttributes(
                attributes.getInt(QueryQpReply.DEST_QP_NUM),
                attributes.getInt(QueryQpReply.QKEY),
                attributes.getInt(QueryQpReply.QP_ACCESS_FLAGS),
                attributes.get(QueryQpReply.RNR_RETRY),
                Math.max(1, attributes.get(QueryQpReply.MAX_RD_ATOMIC)));
    }

    /** The attributes that must come with a change of state, -1 for a change that cannot be. */
    private static int required(int type, int from, int to) {
        if (to == CardQp.RESET || to == CardQp.ERR || from == to) {
            return 0;
        }
        if (from == CardQp.RESET && to == CardQp.INIT) {
            int key = type == QpSpec.UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
            return IBV_QP_PKEY_INDEX | IBV_QP_PORT | key;
        }
        if (from == CardQp.INIT && to == CardQp.RTR) {
            int connected = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
            int reliable = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
            return switch (type) {
                case QpSpec.XRC_INI -> connected;
                case QpSpec.RC, QpSpec.XRC_TGT -> connected | reliable;
                case QpSpec.UC -> connected;
                default -> 0;
            };
        }
        if (from == CardQp.RTR && to == CardQp.RTS) {
            int reliable = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
            return IBV_QP_SQ_PSN
                    | switch (type) {
                        case QpSpec.RC, QpSpec.XRC_INI -> reliable;
                        case QpSpec.XRC_TGT -> IBV_QP_TIMEOUT;
                        default -> 0;
                    };
        }
        return -1;
    }

    /** The capacities are those that CREATE_QP echoed. */
    static void query(QueueObject.Qp qp, ByteBuffer reply) {
        ByteBuffer attributes = qp.attributes();
        attributes.put(QueryQpReply.QP_STATE, (byte) qp.qp().state());
        attributes.put(QueryQpReply.CUR_QP_STATE, (byte) qp.qp().state());
        WriteSet.Request.answer(reply, attributes);
    }
}
