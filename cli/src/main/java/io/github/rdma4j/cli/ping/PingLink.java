// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * The queue pair of one connection and the two small buffers of the protocol's messages; what client and server have in
 * common. Used by one thread.
 */
final class PingLink implements AutoCloseable {
    /** One read and one write at a time is all the protocol does. */
    static final ConnectionParameters PARAMETERS = ConnectionParameters.builder()
            .responderResources(1)
            .initiatorDepth(1)
            .build();

    private static final int SEND_DEPTH = 16;
    private static final int RECEIVE_DEPTH = 2;

    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(BufferOffer.BYTES);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(BufferOffer.BYTES);
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
    private final SendWorkRequest message = new SendWorkRequest(1).signaled();
    private final SendWorkRequest rdma = new SendWorkRequest(1).signaled();
    private final WorkCompletion[] completion = WorkCompletion.array(1);
    private final CmId id;
    private final Waiting waiting;
    private int receivedMessages;
    private int finishedRdma;

    /** The other side has ended the connection, or is gone. */
    static final class PeerGoneException extends RdmaException {
        private static final long serialVersionUID = 1L;

        PeerGoneException() {
            super("the peer has disconnected");
        }
    }

    /** How a side waits for completions. */
    @FunctionalInterface
    interface Waiting {
        /** Returns when {@code completions} has had an event, maybe earlier; throws when there is nothing to wait for. */
        void await(CompletionChannel completions) throws RdmaException, InterruptedException;
    }

    /** Makes the queue pair of {@code id}, which the link closes; after a failure nothing is left but the id. */
    PingLink(CmId id, Waiting waiting) throws RdmaException {
        this.id = id;
        this.waiting = waiting;
        pd = id.context().allocatePd();
        channel = createChannel(id, pd);
        try {
            cq = id.context().createCq(SEND_DEPTH * 2, 0, channel);
            cq.requestNotification(false);
            qp = id.createQp(
                    pd,
                    QueuePairOptions.builder()
                            .cq(cq)
                            .maxSendWr(SEND_DEPTH)
                            .maxReceiveWr(RECEIVE_DEPTH)
                            .build());
            receive.add(register(incoming, EnumSet.of(Access.LOCAL_WRITE)), 0, BufferOffer.BYTES);
            message.add(register(outgoing, EnumSet.noneOf(Access.class)), 0, BufferOffer.BYTES);
            qp.postReceive(receive);
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            // The context outlives the id while something made on it is left.
            closeAfter(e, channel, pd);
            throw e;
        }
    }

    private static CompletionChannel createChannel(CmId id, ProtectionDomain pd) throws RdmaException {
        try {
            return id.context().createCompletionChannel();
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            pd.close();
            throw e;
        }
    }

    private static void closeAfter(Throwable failure, CompletionChannel channel, ProtectionDomain pd) {
        FirstFailure closing = new FirstFailure();
        closing.attempt(channel::close);
        closing.attempt(pd::close);
        try {
            closing.throwIfAny();
        } catch (RdmaException e) {
            failure.addSuppressed(e);
        }
    }

    MemoryRegion register(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        return pd.registerMr(buffer, access);
    }

    /** Sends where {@code region} is. */
    void offer(MemoryRegion region) throws RdmaException {
        new BufferOffer(region.iova(), region.rkey(), (int) region.length()).encode(outgoing);
        qp.postSend(message);
    }

    /** Sends a message whose content does not matter: go ahead. */
    void goAhead() throws RdmaException {
        qp.postSend(message);
    }

    /** Waits for a message and returns what it says. */
    BufferOffer awaitMessage() throws RdmaException, InterruptedException {
        while (receivedMessages == 0) {
            awaitCompletion();
        }
        receivedMessages--;
        BufferOffer offer = BufferOffer.decode(incoming);
        qp.postReceive(receive);
        return offer;
    }

    /** Fetches {@code length} bytes of the peer's buffer into {@code region}. */
    void read(BufferOffer from, MemoryRegion region, int length) throws RdmaException, InterruptedException {
        rdma(rdma.clear().signaled().rdmaRead(from.iova(), from.rkey()).add(region, 0, length));
    }

    /** Puts {@code length} bytes of {@code region} into the peer's buffer. */
    void write(BufferOffer to, MemoryRegion region, int length) throws RdmaException, InterruptedException {
        rdma(rdma.clear().signaled().rdmaWrite(to.iova(), to.rkey()).add(region, 0, length));
    }

    private void rdma(SendWorkRequest request) throws RdmaException, InterruptedException {
        qp.postSend(request.wrId(1));
        while (finishedRdma == 0) {
            awaitCompletion();
        }
        finishedRdma--;
    }

    private void awaitCompletion() throws RdmaException, InterruptedException {
        while (cq.poll(completion) == 0) {
            cq.requestNotification(false);
            // What came before the notification was asked for gives no event: look once more before sleeping.
            if (cq.poll(completion) > 0) {
                break;
            }
            waiting.await(channel);
        }
        WorkCompletion done = completion[0];
        if (done.status() == WorkCompletionStatus.WR_FLUSH_ERR) {
            throw new PeerGoneException();
        }
        if (!done.isSuccess()) {
            throw new WorkCompletionException(done);
        }
        if (done.isReceive()) {
            receivedMessages++;
        } else if (done.wrId() == 1) {
            finishedRdma++;
        }
    }

    /** Ends the connection and everything made for it. */
    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(id::close);
        failure.attempt(channel::close);
        failure.attempt(pd::close);
        failure.throwIfAny();
    }
}
