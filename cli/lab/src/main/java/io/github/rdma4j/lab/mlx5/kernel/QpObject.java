// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.uverbs.QueryQp;
import io.github.rdma4j.lab.mlx5.card.CardQp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair, with its attributes as QUERY_QP returns them. */
final class QpObject extends QueueObject {
    private final CardQp qp;
    private final ByteBuffer attributes;

    /** Null for a queue pair that is nobody else's. */
    private final Xrcd.@Nullable Target target;

    QpObject(CardQp qp, List<KernelObject> used, Owner owner) {
        super("qp", used, owner);
        this.qp = qp;
        this.attributes = noAttributes();
        this.target = null;
        hca().own(qp, this);
    }

    /** A target of an XRC domain. */
    QpObject(Xrcd.Target target, XrcdObject xrcd, Owner owner) {
        super("qp", List.of(xrcd), owner);
        this.qp = target.qp();
        this.attributes = target.attributes();
        this.target = target;
        hca().own(qp, this);
    }

    static ByteBuffer noAttributes() {
        return ByteBuffer.allocate(QueryQp.Reply.BYTES).order(ByteOrder.nativeOrder());
    }

    CardQp qp() {
        return qp;
    }

    ByteBuffer attributes() {
        return attributes;
    }

    @Override
    void release() {
        hca().disown(qp, this);
        if (target == null) {
            hca().card().destroyQp(qp);
            hca().giveBack(qp.qpn());
        } else {
            target.close();
        }
        super.release();
    }
}
