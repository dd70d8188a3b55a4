// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.EnumSet;

/** Connects queue pairs of one device without the connection manager. A peer may read, write and change all memory. */
public final class RawConnection {
    private static final int PORT = 1;
    private static final int PSN = 100;
    private static final int FOREVER = 7;

    private RawConnection() {}

    /** Brings both queue pairs to RTS; {@code way} is the address of the device itself. */
    public static void connect(QueuePair one, QueuePair other, AhAttr way) throws RdmaException {
        connect(one, other, way, FOREVER);
    }

    /** As {@link #connect(QueuePair, QueuePair, AhAttr)}; a sender asks a peer without a receive {@code rnrRetries} times again. */
    public static void connect(QueuePair one, QueuePair other, AhAttr way, int rnrRetries) throws RdmaException {
        prepare(one);
        prepare(other);
        receive(one, other.qpn(), way);
        receive(other, one.qpn(), way);
        send(one, rnrRetries);
        send(other, rnrRetries);
    }

    /** Brings one side to RTS. */
    public static void connect(QueuePair qp, int peer, AhAttr way) throws RdmaException {
        prepare(qp);
        receive(qp, peer, way);
        send(qp, FOREVER);
    }

    /** Connects an initiator of XRC with a target, which sends nothing itself. */
    public static void connectXrc(QueuePair initiator, QueuePair target, AhAttr way) throws RdmaException {
        prepare(initiator);
        prepare(target);
        receive(initiator, target.qpn(), way);
        receive(target, initiator.qpn(), way);
        send(initiator, FOREVER);
    }

    /** Brings a queue pair for datagrams to RTS. */
    public static void start(QueuePair qp, int qkey) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(PORT)
                .qkey(qkey)
                .build());
        qp.modify(QpAttr.builder().state(QpState.RTR).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).sqPsn(PSN).build());
    }

    private static void prepare(QueuePair qp) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(PORT)
                .access(EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC))
                .build());
    }

    private static void receive(QueuePair qp, int peer, AhAttr way) throws RdmaException {
        QpAttr.Builder attributes = QpAttr.builder()
                .state(QpState.RTR)
                .ahAttr(way)
                .pathMtu(PathMtu.MTU_1024)
                .destQpNum(peer)
                .rqPsn(PSN);
        if (qp.type() == QueuePairType.RC || qp.type() == QueuePairType.XRC_TGT) {
            attributes.maxDestRdAtomic(4).minRnrTimer(12);
        }
        qp.modify(attributes.build());
    }

    private static void send(QueuePair qp, int rnrRetries) throws RdmaException {
        QpAttr.Builder attributes = QpAttr.builder().state(QpState.RTS).sqPsn(PSN);
        if (qp.type() == QueuePairType.RC || qp.type() == QueuePairType.XRC_INI) {
            attributes.timeout(14).retryCnt(7).rnrRetry(rnrRetries).maxRdAtomic(4);
        }
        qp.modify(attributes.build());
    }
}
