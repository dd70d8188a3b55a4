// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCqResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.QueueCreation;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/** The driver's part of CREATE_CQ. */
final class CompletionQueueCreation extends QueueCreation<Created.Cq, CompletionRing> {
    private static final Form FORM = new Form(CreateCq.BYTES, CreateCq.BUF_ADDR, CreateCq.DB_ADDR, CreateCqResp.BYTES);

    private final Mlx4Parts parts;
    private final Entries ring;

    /** Creates a ring of {@code entries}, a power of two. */
    CompletionQueueCreation(Mlx4Parts parts, int entries) throws RdmaException {
        super(parts.shared().take(entries << parts.entryShift(), "mlx4 completion ring"), FORM);
        this.parts = parts;
        this.ring = parts.entries(memory().bytes(), entries);
        ring.disown(0);
    }

    @Override
    public CompletionRing finish(Created.Cq granted) throws MalformedReplyException {
        requireGranted("CREATE_CQ of mlx4, cqe", granted.cqe(), ring.count() - 1);
        return new Mlx4CompletionRing(
                parts, memory(), ring, granted.driverReply().getInt(CreateCqResp.CQN));
    }
}
