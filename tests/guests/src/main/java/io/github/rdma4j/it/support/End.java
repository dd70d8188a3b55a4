// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.EnumSet;

/** One end of a connection: a queue pair with a protection domain, a completion queue and a buffer of its own. */
public class End implements AutoCloseable {
    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final ByteBuffer buffer;
    private final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    /** Who makes the queue pair: the connection manager or the protection domain. */
    public interface QueuePairs {
        QueuePair create(ProtectionDomain pd, QueuePairOptions options) throws RdmaException;
    }

    public End(DeviceContext context, Loopback.Setup setup, QueuePairs queuePairs) throws RdmaException {
        this(context, setup, queuePairs, ByteBuffer.allocateDirect(setup.bytes()));
    }

    /** An end with memory that its device can register. */
    public End(DeviceContext context, Loopback.Setup setup, QueuePairs queuePairs, ByteBuffer memory)
            throws RdmaException {
        this(context.allocatePd(), context, setup, queuePairs, memory);
    }

    End(ProtectionDomain pd, DeviceContext context, Loopback.Setup setup, QueuePairs queuePairs, ByteBuffer memory)
            throws RdmaException {
        this.pd = pd;
        this.context = context;
        channel = context.createCompletionChannel();
        cq = context.createCq(setup.cqEntries(), 0, channel);
        qp = queuePairs.create(pd, setup.options(cq));
        buffer = memory;
        region = pd.registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
    }

    public DeviceContext context() {
        return context;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public CompletionChannel channel() {
        return channel;
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

    /** Posts a receive of {@code length} bytes into the start of the buffer. */
    public void receive(long wrId, int length) throws RdmaException {
        receive(wrId, 0, length);
    }

    /** Posts a receive of {@code length} bytes at {@code offset} of the buffer. */
    public void receive(long wrId, int offset, int length) throws RdmaException {
        qp.postReceive(new ReceiveWorkRequest(1).wrId(wrId).add(region, offset, length));
    }

    /** Sends the first {@code length} bytes of the buffer, signaled. */
    public void send(long wrId, int length) throws RdmaException {
        send(wrId, 0, length);
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
        channel.close();
        pd.close();
    }
}
