// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;

/**
 * The queue pair of a connection and the buffers of the protocol's messages, for client and server. For one thread.
 */
final class PingLink implements AutoCloseable {
    /** The protocol has one outstanding read or write at a time. */
    static final ConnectionParameters PARAMETERS = ConnectionParameters.builder()
            .responderResources(1)
            .initiatorDepth(1)
            .build();

    private static final int SEND_DEPTH = 16;
    private static final int RECEIVE_DEPTH = 2;

    private final CmQueues queues;
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

    /** The peer has disconnected or is gone. */
    static final class PeerGoneException extends RdmaException {
        private static final long serialVersionUID = 1L;

        PeerGoneException() {
            super("the peer has disconnected");
        }
    }

    /** Waits for completions, for a client or a server. */
    @FunctionalInterface
    interface Waiting {
        /** Waits until {@code cq} has completions and takes them; throws if the connection has ended. */
        void await(CompletionQueue cq, WorkCompletion[] into) throws RdmaException, InterruptedException;
    }

    /** Creates the queue pair of {@code id}; the link closes both. After a failure, only the id is left open. */
    PingLink(CmId id, Waiting waiting) throws RdmaException {
        this.id = id;
        this.waiting = waiting;
        queues = id.queues()
                .createOwn(QueuePairOptions.builder()
                        .maxSendWr(SEND_DEPTH)
                        .maxReceiveWr(RECEIVE_DEPTH)
                        .build());
        try {
            receive.add(register(incoming, EnumSet.of(Access.LOCAL_WRITE)), 0, BufferOffer.BYTES);
            message.add(register(outgoing, EnumSet.noneOf(Access.class)), 0, BufferOffer.BYTES);
            queues.qp().postReceive(receive);
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            FirstFailure.closeAfter(e, queues);
            throw e;
        }
    }

    MemoryRegion register(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        return queues.pd().registerMr(buffer, access);
    }

    /** Sends the address of {@code region}. */
    void offer(MemoryRegion region) throws RdmaException {
        new BufferOffer(region.iova(), region.rkey(), (int) region.length()).encode(outgoing);
        queues.qp().postSend(message);
    }

    /** Sends the message that lets the peer proceed; its content is meaningless. */
    void goAhead() throws RdmaException {
        queues.qp().postSend(message);
    }

    /** Waits for a message and returns the offer in it. */
    BufferOffer awaitMessage() throws RdmaException, InterruptedException {
        while (receivedMessages == 0) {
            awaitCompletion();
        }
        receivedMessages--;
        BufferOffer offer = BufferOffer.decode(incoming);
        queues.qp().postReceive(receive);
        return offer;
    }

    /** Reads {@code length} bytes of the peer's buffer into {@code region}. */
    void read(BufferOffer from, MemoryRegion region, int length) throws RdmaException, InterruptedException {
        rdma(rdma.clear().signaled().rdmaRead(from.iova(), from.rkey()).add(region, 0, length));
    }

    /** Writes {@code length} bytes of {@code region} to the peer's buffer. */
    void write(BufferOffer to, MemoryRegion region, int length) throws RdmaException, InterruptedException {
        rdma(rdma.clear().signaled().rdmaWrite(to.iova(), to.rkey()).add(region, 0, length));
    }

    private void rdma(SendWorkRequest request) throws RdmaException, InterruptedException {
        queues.qp().postSend(request.wrId(1));
        while (finishedRdma == 0) {
            awaitCompletion();
        }
        finishedRdma--;
    }

    private void awaitCompletion() throws RdmaException, InterruptedException {
        if (queues.cq().poll(completion) == 0) {
            waiting.await(queues.cq(), completion);
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

    /** Ends the connection and closes everything that was created for it. */
    @Override
    public void close() throws RdmaException {
        Failures.closeAll(id::close, queues::close);
    }

    /**
     * The message of rping that describes a buffer: 16 bytes, big-endian.
     *
     * <pre>{@code
     * struct rping_rdma_info {
     *     __be64 buf;    //  0  I/O virtual address
     *     __be32 rkey;   //  8
     *     __be32 size;   // 12  bytes
     * };                 // 16
     * }</pre>
     */
    record BufferOffer(long iova, int rkey, int size) {
        static final int BYTES = 16;

        void encode(ByteBuffer out) {
            out.duplicate()
                    .order(ByteOrder.BIG_ENDIAN)
                    .putLong(0, iova)
                    .putInt(8, rkey)
                    .putInt(12, size);
        }

        static BufferOffer decode(ByteBuffer in) {
            ByteBuffer wire = in.duplicate().order(ByteOrder.BIG_ENDIAN);
            return new BufferOffer(wire.getLong(0), wire.getInt(8), wire.getInt(12));
        }
    }
}
