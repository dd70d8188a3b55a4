// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.IwarpQueuePairs;
import io.github.rdma4j.internal.testkit.MemoryKernel;
import io.github.rdma4j.providers.card.CardQp;

/**
 * What the driver of an iWARP device does for the connection manager. What is posted goes out before the end of a connection. A
 * queue pair that is gone is left alone.
 */
record IwarpConnections(MemoryKernel kernel, Hca hca) implements IwarpQueuePairs {
    @Override
    public void connect(int qpn, int peer) {
        kernel.run(() -> {
            hca.queuePair(qpn).ifPresent(qp -> QpStates.connect(hca, qp, peer));
            hca.queuePair(peer).ifPresent(qp -> QpStates.connect(hca, qp, qpn));
        });
    }

    @Override
    public void disconnect(int qpn) {
        kernel.run(() -> hca.queuePair(qpn).ifPresent(qp -> {
            hca.card().settle();
            hca.card().moveQp(qp.qp(), CardQp.ERR);
        }));
    }
}
