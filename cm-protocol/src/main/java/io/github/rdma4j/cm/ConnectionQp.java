// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QpState;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.abi.QpAttr;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair that belongs to a CM id, and the transitions that the connection asks of it. What it has to look like in
 * each state the kernel says (INIT_QP_ATTR). Written under the id's lock, read by anybody.
 */
final class ConnectionQp {
    private final RdmaUcm ucm;
    private final int handle;
    private volatile @Nullable QueuePair qp;

    ConnectionQp(RdmaUcm ucm, int handle) {
        this.ucm = ucm;
        this.handle = handle;
    }

    /** The queue pair, or null while none was made or when it is the caller's own affair. */
    @Nullable
    QueuePair get() {
        return qp;
    }

    /** The number to tell the peer: ours, or what the caller gave for a queue pair of its own. */
    int numberOr(int callersOwn) {
        QueuePair own = qp;
        return own != null ? own.qpn() : callersOwn;
    }

    /** Makes it, in INIT. */
    void create(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        QueuePair made = pd.createQp(options);
        try {
            made.modify(ucm.initQpAttr(handle, QpState.INIT.code()));
            qp = made;
        } catch (RdmaException e) {
            made.close();
            throw e;
        }
    }

    /** INIT again for the access rights of the connection, then RTR and RTS with what was negotiated. */
    void makeReady(int responderResources, int initiatorDepth) throws RdmaException {
        QueuePair own = qp;
        if (own == null) {
            return;
        }
        try {
            own.modify(ucm.initQpAttr(handle, QpState.INIT.code()));
            QpAttr receive = ucm.initQpAttr(handle, QpState.RTR.code());
            own.modify(
                    responderResources == ConnectionParameters.AS_MUCH_AS_POSSIBLE
                            ? receive
                            : receive.toBuilder()
                                    .maxDestRdAtomic(responderResources)
                                    .build());
            QpAttr send = ucm.initQpAttr(handle, QpState.RTS.code());
            own.modify(
                    initiatorDepth == ConnectionParameters.AS_MUCH_AS_POSSIBLE
                            ? send
                            : send.toBuilder().maxRdAtomic(initiatorDepth).build());
        } catch (RdmaException e) {
            flushAfter(e);
            throw e;
        }
    }

    /** Moves it to ERR, which ends what is posted to it. */
    void flush() throws RdmaException {
        QueuePair own = qp;
        if (own != null && !own.isClosed()) {
            own.moveToError();
        }
    }

    /** The same after a failure that is the one to report. */
    void flushAfter(RdmaException failure) {
        try {
            flush();
        } catch (RdmaException e) {
            failure.addSuppressed(e);
        }
    }

    void close() throws RdmaException {
        QueuePair own = qp;
        if (own != null) {
            own.close();
        }
    }
}
