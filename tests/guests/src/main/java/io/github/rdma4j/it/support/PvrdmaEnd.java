// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.function.UnaryOperator;

/** An end on QEMU's device. */
public final class PvrdmaEnd extends End {
    /** The depth of the queues: small, so that messages go around them. */
    public static final int DEPTH = 16;

    private static final int SGE = 4;
    private static final int BYTES = 8192;

    private PvrdmaEnd(DeviceContext context, UnaryOperator<QueuePairOptions.Builder> change) throws RdmaException {
        super(
                context,
                Loopback.setup()
                        .cqEntries(2 * DEPTH)
                        .qp(options -> change.apply(options.maxSendWr(DEPTH)
                                .maxReceiveWr(DEPTH)
                                .maxSendSge(SGE)
                                .maxReceiveSge(SGE))),
                (pd, options) -> pd.createQp(options),
                Pvrdma.pages(BYTES));
    }

    /** An end that is not connected yet. */
    public static PvrdmaEnd reliable(DeviceContext context) throws RdmaException {
        return new PvrdmaEnd(context, options -> options);
    }

    /** An end that is ready for datagrams. */
    public static PvrdmaEnd datagrams(DeviceContext context) throws RdmaException {
        PvrdmaEnd end = new PvrdmaEnd(context, options -> options.type(QueuePairType.UD));
        Datagrams.ready(end.qp());
        return end;
    }

    /** Two ends on one device, connected to each other. */
    public static PvrdmaEnd[] connected(DeviceContext context) throws RdmaException {
        PvrdmaEnd[] ends = {reliable(context), reliable(context)};
        RawConnection.connect(ends[0].qp(), ends[1].qp(), Pvrdma.way(context));
        return ends;
    }

    /** Sends {@code length} bytes at {@code offset} of the buffer as a datagram, signaled. */
    public void sendTo(AddressHandle to, int qpn, long wrId, int offset, int length) throws RdmaException {
        qp().postSend(new SendWorkRequest(1)
                .wrId(wrId)
                .send()
                .to(to, qpn, Datagrams.QKEY)
                .add(region(), offset, length)
                .signaled());
    }
}
