// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of a {@link Link} and the queue of its completions. Removing the device closes the queues,
 * possibly before the stream is notified: a closed queue counts as a failure of the device, an {@link RdmaException} like the
 * others. Not safe for use by several threads.
 */
public final class LinkQueues implements Link.WorkQueues {
    /** The sends that are posted at a time. */
    public static final int BATCH = 16;

    /** The completions that are taken, and the receives that are posted, at a time. */
    private static final int POLLED = 32;

    /** Receives without memory, which nobody changes: all links post the same. */
    private static final ReceiveWorkRequest[] EMPTY = new ReceiveWorkRequest[POLLED];

    static {
        Arrays.fill(EMPTY, new ReceiveWorkRequest(0));
    }

    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final WorkCompletion[] completions = WorkCompletion.array(POLLED);
    private final int maxSge;

    /** As many as were posted at a time. */
    private SendWorkRequest[] sends = new SendWorkRequest[0];

    private int sendCount;
    private ReceiveWorkRequest[] receives = new ReceiveWorkRequest[0];
    private int receiveCount;
    private int emptyCount;
    private @Nullable QueuePair qp;

    private LinkQueues(CompletionChannel channel, CompletionQueue cq, int maxSge) {
        this.channel = channel;
        this.cq = cq;
        this.maxSge = maxSge;
    }

    /**
     * Creates the completion queue, for {@code entries} completions, on the device of {@code id}. Sends have {@code maxSge} pieces
     * of memory at most.
     */
    public static LinkQueues open(CmId id, int entries, int maxSge) throws RdmaException {
        CompletionChannel channel = id.context().createCompletionChannel();
        boolean done = false;
        try {
            LinkQueues made = new LinkQueues(channel, id.context().createCq(entries, 0, channel), maxSge);
            done = true;
            return made;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    /** The completion queue, for the queue pair that {@link #use} takes. */
    public CompletionQueue cq() {
        return cq;
    }

    /** Takes the queue pair, which reports to {@link #cq()}. */
    public void use(QueuePair made) {
        qp = made;
    }

    private static RdmaException gone(IllegalStateException closed) {
        return new RdmaException("the device is gone: " + closed.getMessage(), closed);
    }

    private QueuePair qp() throws RdmaException {
        QueuePair made = qp;
        if (made == null) {
            throw new RdmaException("the connection has no queue pair yet");
        }
        return made;
    }

    // Sending.

    /** The next send, empty but for its number; it is posted by {@link #flush} or before. */
    public SendWorkRequest nextSend(long number, boolean signaled) throws RdmaException {
        if (sendCount == BATCH) {
            flush();
        }
        if (sendCount == sends.length) {
            sends = Arrays.copyOf(sends, sendCount + 1);
            sends[sendCount] = new SendWorkRequest(maxSge);
        }
        SendWorkRequest request = sends[sendCount].clear().wrId(number);
        sendCount++;
        return signaled ? request.signaled() : request.unsignaled();
    }

    /** The place of the last {@link #nextSend} in its batch, below {@link #BATCH}. */
    public int placeOfSend() {
        return sendCount - 1;
    }

    @Override
    public void flush() throws RdmaException {
        if (sendCount == 0) {
            return;
        }
        int count = sendCount;
        sendCount = 0;
        int posted;
        try {
            posted = qp().postSend(sends, count);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
        if (posted < count) {
            throw new RdmaException("the send queue took " + posted + " of " + count + " requests of " + qp);
        }
    }

    // Receiving.

    /** The next receive, empty but for its number; it is posted by {@link #flushReceives} or before. */
    public ReceiveWorkRequest nextReceive(long number) throws RdmaException {
        if (receiveCount == POLLED) {
            flushReceives();
        }
        if (receiveCount == receives.length) {
            receives = Arrays.copyOf(receives, receiveCount + 1);
            receives[receiveCount] = new ReceiveWorkRequest(1);
        }
        ReceiveWorkRequest request = receives[receiveCount].clear().wrId(number);
        receiveCount++;
        return request;
    }

    /** Adds a receive without memory, which is posted by {@link #flushReceives} or before. */
    void addEmptyReceive() throws RdmaException {
        if (emptyCount == POLLED) {
            flushReceives();
        }
        emptyCount++;
    }

    @Override
    public void flushReceives() throws RdmaException {
        int count = receiveCount;
        int empty = emptyCount;
        receiveCount = 0;
        emptyCount = 0;
        post(receives, count);
        post(EMPTY, empty);
    }

    private void post(ReceiveWorkRequest[] requests, int count) throws RdmaException {
        if (count == 0) {
            return;
        }
        try {
            qp().postReceive(requests, count);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    @Override
    public int poll() throws RdmaException {
        try {
            return cq.poll(completions);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    @Override
    public int pollLimit() {
        return POLLED;
    }

    @Override
    public int capacity() {
        return cq.capacity();
    }

    @Override
    public WorkCompletion completion(int index) {
        return completions[index];
    }

    // Waiting.

    @Override
    public Pollable.Descriptor descriptor() {
        return channel.descriptor();
    }

    @Override
    public void arm() throws RdmaException {
        try {
            cq.requestNotification(false);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    @Override
    public boolean takeEvent() throws RdmaException, InterruptedException {
        try {
            return channel.awaitEvent(Duration.ZERO).isPresent();
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    /** Destroys the completion queue, and with it the queue pair. */
    public void close() throws RdmaException {
        channel.close();
    }
}
