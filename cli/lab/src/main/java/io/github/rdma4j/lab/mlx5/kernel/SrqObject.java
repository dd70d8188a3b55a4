// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.lab.mlx5.card.CardSrq;
import java.util.List;

/** A shared receive queue. */
final class SrqObject extends QueueObject {
    private final CardSrq srq;
    private final int maxWr;
    private final int maxSge;

    SrqObject(CardSrq srq, int maxWr, int maxSge, List<KernelObject> used, Owner owner) {
        super("srq", used, owner);
        this.srq = srq;
        this.maxWr = maxWr;
        this.maxSge = maxSge;
        hca().own(srq, this);
    }

    CardSrq srq() {
        return srq;
    }

    int maxWr() {
        return maxWr;
    }

    int maxSge() {
        return maxSge;
    }

    @Override
    void release() {
        hca().disown(srq, this);
        hca().card().destroySrq(srq);
        super.release();
    }
}
