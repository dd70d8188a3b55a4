// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.EnumSet;

/** Connecting queue pairs of this device to each other without the connection manager. */
public final class RawConnection {
    private static final int PSN = 100;
    private static final int FOR_EVER = 7;

    private RawConnection() {}

    /** Brings both to RTS; {@code way} is the address of the device itself. */
    public static void connect(QueuePair one, QueuePair other, AhAttr way) throws RdmaException {
        connect(one, other, way, FOR_EVER);
    }

    /** The same; a peer without a receive is asked again {@code rnrRetries} times. */
    public static void connect(QueuePair one, QueuePair other, AhAttr way, int rnrRetries) throws RdmaException {
        prepare(one);
        prepare(other);
        receive(one, other.qpn(), way);
        receive(other, one.qpn(), way);
        send(one, rnrRetries);
        send(other, rnrRetries);
    }

    private static void prepare(QueuePair qp) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(Datagrams.PORT)
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
        if (qp.type() == QueuePairType.RC) {
            attributes.maxDestRdAtomic(4).minRnrTimer(12);
        }
        qp.modify(attributes.build());
    }

    private static void send(QueuePair qp, int rnrRetries) throws RdmaException {
        QpAttr.Builder attributes = QpAttr.builder().state(QpState.RTS).sqPsn(PSN);
        if (qp.type() == QueuePairType.RC) {
            attributes.timeout(14).retryCnt(7).rnrRetry(rnrRetries).maxRdAtomic(4);
        }
        qp.modify(attributes.build());
    }
}
