// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.connectx.ConnectxContext;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx5.QueuePairCreation.TargetRequest;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** An open ConnectX device. */
final class Mlx5Context extends ConnectxContext {
    /** The maximum size of a completion queue: the consumer index has 24 bits. */
    private static final int MOST_COMPLETIONS = (1 << 24) - 1;

    private final Mlx5Parts parts;

    Mlx5Context(Mlx5Parts parts) {
        super(parts.shared(), parts.doorbells().page(), new Limits(MOST_COMPLETIONS, AllocPdResp.BYTES));
        this.parts = parts;
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        return new CompletionQueueCreation(parts, entries + 1, parts.doorbells().shortPageId());
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        return QueuePairCreation.prepare(parts, request);
    }

    /** The kernel computes the size of the ring from this number. */
    @Override
    public int receivesToRequest(int wanted) {
        return parts.reply().limits().sharedReceives(wanted, 1).all() - 1;
    }

    @Override
    protected Creation<Created.Srq, SharedReceiveRing> sharedReceives(
            int maxWr, int maxSge, @Nullable CompletionRing cq) throws RdmaException {
        return new SharedReceiveQueueCreation(parts, parts.reply().limits().sharedReceives(maxWr, maxSge), cq);
    }

    /** The provider controls the reuse of user indexes; the kernel controls the reuse of queue numbers. */
    @Override
    public @Nullable Lock queueNumberLock() {
        return parts.reply().cqeVersion() == 0 ? super.queueNumberLock() : null;
    }

    /** The kernel reads only the user index, which must be valid. No completion contains this index. */
    @Override
    public DriverExchange xrcTarget() {
        return new TargetRequest(parts.reply().cqeVersion() == 0 ? UserIndexes.NONE : 0);
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        boolean ethernet = ports().isEthernet(attributes);
        if (ethernet && !parts.reply().tellsMac()) {
            throw new UnsupportedByKernelException(
                    "the mlx5 driver of this kernel does not resolve the MAC address of an address"
                            + " handle: datagrams over RoCE need Linux 4.10 or newer");
        }
        return new AddressCreation(attributes, ethernet, ethernet && ports().isUdp(attributes));
    }
}
