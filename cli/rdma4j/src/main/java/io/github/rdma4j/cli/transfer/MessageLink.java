// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of an id, with room for all messages of the peer; each message stays in its buffer. For one thread.
 */
final class MessageLink implements AutoCloseable {
    /** The number of completions of a poll, as in C. */
    private static final int BATCH = 8;

    final CmId id;
    private final int messages;
    private final int size;

    /** The size of the header in front of a received message. */
    private final int header;

    private final CmQueues queues;
    private final ByteBuffer incoming;
    private final MemoryRegion received;
    private final SendWorkRequest send = new SendWorkRequest(1);
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private @Nullable WorkCompletion first;
    private int arrived;
    private int sent;
    /** True once the link can be used. */
    boolean ready;

    /** Creates the queue pair of {@code id} and posts all receives; the link closes the id. */
    MessageLink(CmId id, int messages, int size) throws RdmaException {
        this.id = id;
        this.messages = messages;
        this.size = size;
        header = id.queuePairType().isDatagram() ? Grh.BYTES : 0;
        // neither a region nor a queue can be empty
        incoming = ByteBuffer.allocateDirect(Math.max(1, messages * slotSize()));
        int depth = Math.max(1, messages);
        queues = id.queues()
                .createOwn(QueuePairOptions.builder()
                        .maxSendWr(depth)
                        .maxReceiveWr(depth)
                        .signalAll(true)
                        .build());
        try {
            received = queues.pd().registerMr(incoming, EnumSet.of(Access.LOCAL_WRITE));
            postReceives();
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            FirstFailure.closeAfter(e, queues);
            throw e;
        }
    }

    private int slotSize() {
        return header + size;
    }

    private void postReceives() throws RdmaException {
        ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
        for (int i = 0; i < messages; i++) {
            queues.qp().postReceive(receive.clear().add(received, (long) i * slotSize(), slotSize()));
        }
    }

    /**
     * Sets the destination of the datagrams; each datagram carries the local queue pair number, as the peer expects.
     */
    void sendTo(AhAttr address, int qpn, int qkey) throws RdmaException {
        sendTo(queues.pd().createAh(address), qpn, qkey);
    }

    private void sendTo(AddressHandle ah, int qpn, int qkey) throws RdmaException {
        send.sendWithImmediate(queues.qp().qpn()).to(ah, qpn, qkey);
    }

    void sendOwn() throws RdmaException {
        ByteBuffer outgoing = ByteBuffer.allocateDirect(messages * size);
        MemoryRegion region = queues.pd().registerMr(outgoing, EnumSet.noneOf(Access.class));
        for (int i = 0; i < messages; i++) {
            TestMessage.fill(outgoing.slice(i * size, size), i);
            queues.qp().postSend(send.clear().add(region, (long) i * size, size));
        }
    }

    /** Sends back all messages that were received. */
    void sendBack() throws RdmaException {
        for (int i = 0; i < messages; i++) {
            queues.qp().postSend(send.clear().add(received, (long) i * slotSize() + header, size));
        }
    }

    boolean hasAllArrived() {
        return arrived == messages;
    }

    boolean isAllSent() {
        return sent == messages;
    }

    /**
     * Takes completions, and waits if there are none; returns false after the time limit or if {@code others} have an
     * event.
     */
    boolean await(Deadline deadline, Pollable others) throws RdmaException, InterruptedException {
        int found = queues.cq().await(batch, deadline, others);
        for (int i = 0; i < found; i++) {
            take(batch[i]);
        }
        return found > 0;
    }

    private void take(WorkCompletion completion) throws RdmaException {
        if (!completion.isSuccess()) {
            throw failure(completion);
        }
        if (!completion.isReceive()) {
            sent++;
            return;
        }
        if (first == null) {
            first = completion.copy();
        }
        arrived++;
    }

    /**
     * The failure of a completion. A flushed receive only shows that the connection has ended; other failures have the
     * reason.
     */
    private static RdmaException failure(WorkCompletion completion) {
        return completion.status() == WorkCompletionStatus.WR_FLUSH_ERR
                ? new RdmaException(
                        "the connection ended before all messages were received",
                        new WorkCompletionException(completion))
                : new WorkCompletionException(completion);
    }

    /** Sets the destination of the datagrams to the sender of the first received datagram. */
    void sendToFirstSender() throws RdmaException {
        WorkCompletion datagram = Objects.requireNonNull(first, "nothing was received");
        AddressHandle sender = queues.pd().createAhFromWc(datagram, incoming, 0, id.portNumber());
        sendTo(sender, datagram.immediate(), queues.qp().query().qkey());
    }

    /**
     * The number of received messages that rdma4j has sent: all, or none when a C program sends its own messages.
     *
     * @throws RdmaException if a message of rdma4j was damaged or arrived in the wrong order
     */
    int verify() throws RdmaException {
        int ours = 0;
        for (int i = 0; i < messages; i++) {
            int number = numberOf(incoming.slice(i * slotSize() + header, size));
            if (number == TestMessage.FOREIGN) {
                continue;
            }
            // C has received all messages into the same buffer, and sends the last message back
            boolean expected = number == i || number == messages - 1;
            if (!expected && !id.queuePairType().isDatagram()) {
                throw new RdmaException(id + ": message " + number + " came instead of message " + i);
            }
            ours++;
        }
        if (ours != 0 && ours != messages) {
            throw new RdmaException(id + ": only " + ours + " of " + messages + " messages arrived undamaged");
        }
        return ours;
    }

    /**
     * Returns the number of a message. C sends back the header in front of a datagram, and the part of the message that
     * fits after it.
     */
    private int numberOf(ByteBuffer message) throws RdmaException {
        int number = TestMessage.numberOf(message);
        return number == TestMessage.FOREIGN && message.limit() > header && header > 0
                ? TestMessage.numberOf(message.slice(header, message.limit() - header))
                : number;
    }

    /** Ends the connection and closes everything created for it. */
    @Override
    public void close() throws RdmaException {
        Failures.closeAll(id::close, queues::close);
    }
}
