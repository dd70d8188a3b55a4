// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.ConnectxContext;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import org.jspecify.annotations.Nullable;

/** An open ConnectX-3 device. */
final class Mlx4Context extends ConnectxContext {
    /** The driver's maximum size of a completion queue. */
    private static final int MOST_COMPLETIONS = 0x3fffff;

    private final Mlx4Parts parts;

    Mlx4Context(Mlx4Parts parts) {
        super(parts.shared(), parts.doorbells(), new Limits(MOST_COMPLETIONS, AllocPdResp.BYTES));
        this.parts = parts;
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        return new CompletionQueueCreation(parts, entries + 1);
    }

    /** The device needs at least one receive of at least one piece. */
    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        boolean receives = wanted.maxReceiveWr() > 0 || wanted.maxReceiveSge() > 0;
        int least = receives ? 1 : 0;
        return new QpCap(
                wanted.maxSendWr(),
                Math.max(least, wanted.maxReceiveWr()),
                wanted.maxSendSge(),
                Math.max(least, wanted.maxReceiveSge()),
                wanted.maxInline());
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        return QueuePairCreation.prepare(parts, request);
    }

    @Override
    protected Creation<Created.Srq, SharedReceiveRing> sharedReceives(
            int maxWr, int maxSge, @Nullable CompletionRing cq) throws RdmaException {
        return new SharedReceiveQueueCreation(parts, Mlx4Sizes.sharedReceives(maxWr, maxSge), cq);
    }

    /** The kernel creates no queue for a target, and ignores the request. */
    @Override
    public DriverExchange xrcTarget() {
        return DriverExchange.of(CreateQp.BYTES, 0);
    }

    /** Work requests contain the whole address, as in libmlx4. */
    @Override
    public boolean hasAddressHandleCommand() {
        return false;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        int pdn = pd.driverReply().getInt(AllocPdResp.PDN);
        Mlx4AddressVector address = ports().isEthernet(attributes)
                ? Mlx4AddressVector.ethernet(
                        pdn,
                        attributes,
                        parts.shared().device().vlan(attributes),
                        parts.shared().device().hardwareAddress(attributes))
                : Mlx4AddressVector.infiniband(pdn, attributes);
        return Creation.of(0, granted -> address);
    }
}
