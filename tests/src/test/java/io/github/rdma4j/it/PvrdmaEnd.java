// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;

/** A queue pair on QEMU's device with a protection domain, a completion queue and a buffer of its own. */
public final class PvrdmaEnd implements AutoCloseable {
    /** The depth of the queues: small, so that messages go around them. */
    static final int DEPTH = 16;

    private static final int SGE = 4;
    private static final int BYTES = 8192;

    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final ByteBuffer buffer = Pvrdma.pages(BYTES);
    private final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    public PvrdmaEnd(DeviceContext context) throws RdmaException {
        pd = context.allocatePd();
        cq = context.createCq(2 * DEPTH);
        qp = pd.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(DEPTH)
                .maxReceiveWr(DEPTH)
                .maxSendSge(SGE)
                .maxReceiveSge(SGE)
                .build());
        region = pd.registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
    }

    /** Two ends on one device, connected to each other. */
    static PvrdmaEnd[] connected(DeviceContext context) throws RdmaException {
        PvrdmaEnd[] ends = {new PvrdmaEnd(context), new PvrdmaEnd(context)};
        RawConnection.connect(ends[0].qp, ends[1].qp, Pvrdma.way(context));
        return ends;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public CompletionQueue cq() {
        return cq;
    }

    public QueuePair qp() {
        return qp;
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    public MemoryRegion region() {
        return region;
    }

    /** Posts a receive of {@code length} bytes at {@code offset} of the buffer. */
    public void receive(long wrId, int offset, int length) throws RdmaException {
        qp.postReceive(new ReceiveWorkRequest(1).wrId(wrId).add(region, offset, length));
    }

    /** Sends {@code length} bytes at {@code offset} of the buffer, signaled. */
    public void send(long wrId, int offset, int length) throws RdmaException {
        qp.postSend(new SendWorkRequest(1)
                .wrId(wrId)
                .send()
                .add(region, offset, length)
                .signaled());
    }

    /** The next completion, whatever its status; polls for it. */
    public WorkCompletion completion() {
        Await.until("a completion", () -> cq.poll(one) == 1);
        return one[0];
    }

    /** The next completion, which must be a success. */
    public WorkCompletion success() {
        WorkCompletion completion = completion();
        if (!completion.isSuccess()) {
            throw new AssertionError(completion);
        }
        return completion;
    }

    @Override
    public void close() throws RdmaException {
        pd.close();
        cq.close();
    }
}
