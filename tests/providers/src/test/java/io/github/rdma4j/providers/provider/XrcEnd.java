// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.XrcDomain;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** A process that has the device open, with memory and a completion queue. */
final class XrcEnd implements AutoCloseable {
    static final Set<Access> ALL = EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);

    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    XrcEnd(CardKernel kernel) throws RdmaException {
        context = kernel.openDevice();
        pd = context.allocatePd();
        cq = context.createCq(63);
        region = pd.registerMr(buffer, ALL);
    }

    DeviceContext context() {
        return context;
    }

    ProtectionDomain pd() {
        return pd;
    }

    CompletionQueue cq() {
        return cq;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    MemoryRegion region() {
        return region;
    }

    QueuePair initiator() throws RdmaException {
        return pd.createQp(initiatorOptions().build());
    }

    QueuePairOptions.Builder initiatorOptions() {
        return QueuePairOptions.builder()
                .type(QueuePairType.XRC_INI)
                .sendCq(cq)
                .maxSendSge(4)
                .maxInline(64);
    }

    SharedReceiveQueue shared(XrcDomain xrcd) throws RdmaException {
        return xrcd.createSrq(pd, cq, SharedReceiveQueueOptions.DEFAULT);
    }

    /** An initiator that is connected with {@code target}. */
    QueuePair connectedTo(QueuePair target) throws RdmaException {
        QueuePair initiator = initiator();
        RawConnection.connectXrc(initiator, target, CardKernel.WAY);
        return initiator;
    }

    /** A receive of 64 bytes at {@code wrId * 64}. */
    ReceiveWorkRequest receive(int wrId) {
        return new ReceiveWorkRequest(1).wrId(wrId).add(region, wrId * 64L, 64);
    }

    /** A message of eight bytes, {@code value}, for the queue {@code srqn}. */
    SendWorkRequest send(long value, int srqn) {
        ByteBuffer data = ByteBuffer.allocate(Long.BYTES).putLong(0, value);
        return new SendWorkRequest(1)
                .wrId(value)
                .send()
                .inline(data)
                .toSrq(srqn)
                .signaled();
    }

    /** The next completion of {@link #cq}; fails when there is none. */
    WorkCompletion poll() {
        return poll(cq);
    }

    WorkCompletion poll(CompletionQueue from) {
        if (from.poll(one) != 1) {
            throw new AssertionError("no completion");
        }
        return one[0];
    }

    boolean isEmpty() {
        return cq.poll(one) == 0;
    }

    @Override
    public void close() throws RdmaException {
        context.close();
    }
}
