// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.connectx.ConnectxSharedReceiveRing;
import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrqResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.QueueCreation;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The driver's part of CREATE_SRQ. */
final class SharedReceiveQueueCreation extends QueueCreation<Created.Srq, SharedReceiveRing> {
    private static final Form FORM =
            new Form(CreateSrq.BYTES, CreateSrq.BUF_ADDR, CreateSrq.DB_ADDR, CreateSrqResp.BYTES);

    private final Mlx5Parts parts;
    private final SharedReceiveSizes sizes;
    private final @Nullable CompletionRing cq;
    private final int index;

    /** Prepares the queue; {@code cq} is the completion queue of an XRC queue, null for other queues. */
    SharedReceiveQueueCreation(Mlx5Parts parts, SharedReceiveSizes sizes, @Nullable CompletionRing cq)
            throws RdmaException {
        super(parts.shared().take(sizes.bytes(), "mlx5 shared receive ring"), FORM);
        this.parts = parts;
        this.sizes = sizes;
        this.cq = cq;
        this.index = cq == null ? UserIndexes.NONE : parts.takeIndex();
        link(memory().bytes().duplicate().order(ByteOrder.BIG_ENDIAN));
    }

    /** Links the entries of a new ring, before the device sees it. */
    private void link(ByteBuffer ring) {
        for (int entry = 0; entry < sizes.entries() - 1; entry++) {
            ring.putShort((entry << sizes.shift()) + SrqNextSeg.NEXT_WQE_INDEX, (short) (entry + 1));
        }
    }

    @Override
    public void writeRequest(DriverRequest request) {
        super.writeRequest(request);
        if (cq != null) {
            request.putInt(CreateSrq.UIDX, index);
        }
    }

    @Override
    public SharedReceiveRing finish(Created.Srq granted) throws MalformedReplyException {
        requireGranted("CREATE_SRQ of mlx5, max_wr", granted.maxWr(), sizes.all() - 1);
        int number = index == UserIndexes.NONE ? granted.driverReply().getInt(CreateSrqResp.SRQN) : index;
        return ConnectxSharedReceiveRing.of(
                sizes, memory(), number, cq, parts.shared().xrcQueues());
    }

    @Override
    public void abandon(boolean destroyed) {
        super.abandon(destroyed);
        if (destroyed) {
            parts.indexes().release(index);
        }
    }
}
