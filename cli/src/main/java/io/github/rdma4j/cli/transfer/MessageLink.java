// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.AhAttr;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.Grh;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of one id, with room for all messages that are to come; each stays where it was received. Used by one
 * thread.
 */
public final class MessageLink implements AutoCloseable {
    /** What one poll takes, as C has it. */
    private static final int BATCH = 8;

    private final CmId id;
    private final TransferPlan plan;

    /** What comes in front of a received message. */
    private final int header;

    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final ByteBuffer incoming;
    private final MemoryRegion received;
    private final SendWorkRequest send = new SendWorkRequest(1);
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private @Nullable Datagram first;
    private int arrived;
    private int sent;
    private boolean ready;

    /**
     * The first datagram that came, and how to answer it.
     *
     * @param grh where it came from
     * @param qpn the queue pair that it says it came from
     */
    public record Datagram(Grh grh, int qpn) {}

    /** Makes the queue pair of {@code id}, which the link closes, and posts all receives. */
    public MessageLink(CmId id, TransferPlan plan) throws RdmaException {
        this.id = id;
        this.plan = plan;
        header = id.queuePairType().isDatagram() ? Grh.BYTES : 0;
        // A region is never empty, nor is a queue.
        incoming = ByteBuffer.allocateDirect(Math.max(1, plan.messages() * slotSize()));
        int depth = Math.max(1, plan.messages());
        pd = id.context().allocatePd();
        channel = createChannel(id, pd);
        try {
            cq = id.context().createCq(2 * depth, 0, channel);
            qp = id.createQp(
                    pd,
                    QueuePairOptions.builder()
                            .cq(cq)
                            .maxSendWr(depth)
                            .maxReceiveWr(depth)
                            .signalAll(true)
                            .build());
            received = pd.registerMr(incoming, EnumSet.of(Access.LOCAL_WRITE));
            postReceives();
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

    private int slotSize() {
        return header + plan.size();
    }

    private void postReceives() throws RdmaException {
        ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
        for (int i = 0; i < plan.messages(); i++) {
            qp.postReceive(receive.clear().add(received, (long) i * slotSize(), slotSize()));
        }
    }

    /** The id whose queue pair it is. */
    public CmId id() {
        return id;
    }

    /** It may be used from now on. */
    void setReady() {
        ready = true;
    }

    boolean isReady() {
        return ready;
    }

    /** Tells it where its datagrams go; each carries the number of our queue pair, as the other side expects. */
    public void sendTo(AhAttr address, int qpn, int qkey) throws RdmaException {
        AddressHandle ah = pd.createAh(address);
        send.sendWithImmediate(qp.qpn()).to(ah, qpn, qkey);
    }

    /** The queue key of our queue pair. */
    public int queueKey() throws RdmaException {
        return qp.query().qkey();
    }

    /** Sends all messages. */
    public void sendOwn() throws RdmaException {
        ByteBuffer outgoing = ByteBuffer.allocateDirect(plan.messages() * plan.size());
        MemoryRegion region = pd.registerMr(outgoing, EnumSet.noneOf(Access.class));
        for (int i = 0; i < plan.messages(); i++) {
            TestMessage.fill(outgoing.slice(i * plan.size(), plan.size()), i);
            qp.postSend(send.clear().add(region, (long) i * plan.size(), plan.size()));
        }
    }

    /** Sends back all messages that came. */
    public void sendBack() throws RdmaException {
        for (int i = 0; i < plan.messages(); i++) {
            qp.postSend(send.clear().add(received, (long) i * slotSize() + header, plan.size()));
        }
    }

    /** True when all messages have come. */
    boolean hasAllArrived() {
        return arrived == plan.messages();
    }

    /** True when all messages have gone. */
    boolean isAllSent() {
        return sent == plan.messages();
    }

    /** What tells that a completion has come, after {@link #poll} has found none. */
    CompletionChannel completions() {
        return channel;
    }

    /** Takes the completions that there are; false, and notification is asked for, when there are none. */
    boolean poll() throws RdmaException {
        int found = cq.poll(batch);
        if (found == 0) {
            cq.requestNotification(false);
            // What came before the notification was asked for gives no event: look once more.
            found = cq.poll(batch);
        }
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
        if (first == null && header > 0 && completion.hasGrh()) {
            first = new Datagram(Grh.decode(incoming, arrived * slotSize()), completion.immediate());
        }
        arrived++;
    }

    /** A receive that is flushed says only that the connection has ended; the other failures say why. */
    private static RdmaException failure(WorkCompletion completion) {
        return completion.status() == WorkCompletionStatus.WR_FLUSH_ERR
                ? new RdmaException(
                        "the connection has ended before all messages have come",
                        new WorkCompletionException(completion))
                : new WorkCompletionException(completion);
    }

    /** The first datagram, once one has come. */
    public Optional<Datagram> firstDatagram() {
        return Optional.ofNullable(first);
    }

    /**
     * How many of the messages that came are ours: all, or none when the peer is a C program that sends its own.
     *
     * @throws RdmaException when one is ours, but not as it was sent or not where it belongs
     */
    int verify() throws RdmaException {
        int ours = 0;
        for (int i = 0; i < plan.messages(); i++) {
            int number = numberOf(incoming.slice(i * slotSize() + header, plan.size()));
            if (number == TestMessage.FOREIGN) {
                continue;
            }
            // C has received all of ours in one place, and sends back the last.
            boolean expected = number == i || number == plan.messages() - 1;
            if (!expected && !id.queuePairType().isDatagram()) {
                throw new RdmaException(id + ": message " + number + " came in the place of message " + i);
            }
            ours++;
        }
        if (ours != 0 && ours != plan.messages()) {
            throw new RdmaException(
                    id + ": only " + ours + " of " + plan.messages() + " messages are as they were sent");
        }
        return ours;
    }

    /** C sends back what is in front of a datagram, and as much of the message as then fits. */
    private int numberOf(ByteBuffer message) throws RdmaException {
        int number = TestMessage.numberOf(message);
        return number == TestMessage.FOREIGN && message.limit() > header && header > 0
                ? TestMessage.numberOf(message.slice(header, message.limit() - header))
                : number;
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
