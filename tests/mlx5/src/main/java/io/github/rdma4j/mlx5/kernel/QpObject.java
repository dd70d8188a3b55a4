// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.mlx5.kernel;

import io.github.rdma4j.internal.uverbs.QueryQpReply;
import io.github.rdma4j.mlx5.card.CardQp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** A queue pair, with its attributes as QUERY_QP returns them. */
final class QpObject extends QueueObject {
    private final CardQp qp;
    private final ByteBuffer attributes =
            ByteBuffer.allocate(QueryQpReply.Layout.BYTES).order(ByteOrder.nativeOrder());

    QpObject(CardQp qp, List<KernelObject> used, Owner owner) {
        super("qp", used, owner);
        this.qp = qp;
        hca().own(qp, this);
    }

    CardQp qp() {
        return qp;
    }

    ByteBuffer attributes() {
        return attributes;
    }

    @Override
    void release() {
        hca().disown(qp);
        hca().card().destroyQp(qp);
        super.release();
    }
}
