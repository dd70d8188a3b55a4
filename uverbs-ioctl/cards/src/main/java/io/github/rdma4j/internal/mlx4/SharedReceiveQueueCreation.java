// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.ConnectxSharedReceiveRing;
import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrqResp;
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

    private final Mlx4Parts parts;
    private final SharedReceiveSizes sizes;
    private final @Nullable CompletionRing cq;

    /** Prepares the queue; {@code cq} is the completion queue of an XRC queue, null for other queues. */
    SharedReceiveQueueCreation(Mlx4Parts parts, SharedReceiveSizes sizes, @Nullable CompletionRing cq)
            throws RdmaException {
        super(parts.shared().take(sizes.bytes(), "mlx4 shared receive ring"), FORM);
        this.parts = parts;
        this.sizes = sizes;
        this.cq = cq;
        link(memory().bytes().duplicate().order(ByteOrder.BIG_ENDIAN));
    }

    /** Links the entries of a new ring, before the device sees it. All segments have the invalid key. */
    private void link(ByteBuffer ring) {
        for (int entry = 0; entry < sizes.entries(); entry++) {
            int at = entry << sizes.shift();
            ring.putShort(at + SrqNextSeg.NEXT_WQE_INDEX, (short) ((entry + 1) & (sizes.entries() - 1)));
            int end = at + (1 << sizes.shift());
            for (int segment = at + SrqNextSeg.BYTES; segment < end; segment += DataSeg.BYTES) {
                ring.putInt(segment + DataSeg.LKEY, Codes.INVALID_LKEY);
            }
        }
    }

    @Override
    public SharedReceiveRing finish(Created.Srq granted) throws MalformedReplyException {
        requireGranted("CREATE_SRQ of mlx4, max_wr", granted.maxWr(), sizes.entries() - 1);
        int number = granted.driverReply().getInt(CreateSrqResp.SRQN);
        return ConnectxSharedReceiveRing.of(
                sizes, memory(), number, cq, parts.shared().xrcQueues());
    }
}
