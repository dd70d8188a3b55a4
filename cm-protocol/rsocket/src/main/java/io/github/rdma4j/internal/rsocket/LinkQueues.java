// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of a {@link Link} and the queue of its completions. Removing the device closes the queues,
 * possibly before the stream is notified: a closed queue counts as a failure of the device, an {@link RdmaException} like the
 * others. Not safe for use by several threads.
 */
public final class LinkQueues implements Link.WorkQueues {
    /** The sends that are posted at a time. */
    public static final int BATCH = Batch.SENDS;

    private final CompletionChannel channel;
    private final CompletionQueue cq;

    /** Null while nothing waits to be posted, and no completions are processed. */
    private @Nullable Batch batch;

    private int sendCount;
    private int receiveCount;
    private boolean polled;

    /** The completions since the queue was last seen empty. */
    private int inOneLook;

    private boolean wasFull;
    private @Nullable QueuePair qp;

    private LinkQueues(CompletionChannel channel, CompletionQueue cq) {
        this.channel = channel;
        this.cq = cq;
    }

    /** Creates the completion queue, for {@code entries} completions, on the device of {@code id}. */
    public static LinkQueues open(CmId id, int entries) throws RdmaException {
        CompletionChannel channel = id.context().createCompletionChannel();
        return Undo.onFailure(
                () -> new LinkQueues(channel, id.context().createCq(entries, 0, channel)), channel::close);
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

    private Batch batch() {
        Batch used = batch;
        if (used == null) {
            used = Batch.take();
            batch = used;
        }
        return used;
    }

    private void giveBackUnused() {
        Batch used = batch;
        if (used != null && sendCount == 0 && receiveCount == 0 && !polled) {
            batch = null;
            used.giveBack();
        }
    }

    // Sending.

    /** The next send, empty but for its number; it is posted by {@link #flush} or before. */
    public SendWorkRequest nextSend(long number, boolean signaled) throws RdmaException {
        if (sendCount == BATCH) {
            flush();
        }
        SendWorkRequest request = batch().sends[sendCount].clear().wrId(number);
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
            posted = qp().postSend(batch().sends, count);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        } finally {
            giveBackUnused();
        }
        if (posted < count) {
            throw new RdmaException("the send queue took " + posted + " of " + count + " requests of " + qp);
        }
    }

    // Receiving.

    /** The next receive, empty but for its number; it is posted by {@link #flushReceives} or before. */
    public ReceiveWorkRequest nextReceive(long number) throws RdmaException {
        if (receiveCount == Batch.POLLED) {
            flushReceives();
        }
        ReceiveWorkRequest request = batch().receives[receiveCount].clear().wrId(number);
        receiveCount++;
        return request;
    }

    @Override
    public void flushReceives() throws RdmaException {
        if (receiveCount == 0) {
            return;
        }
        int count = receiveCount;
        receiveCount = 0;
        try {
            qp().postReceive(batch().receives, count);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        } finally {
            giveBackUnused();
        }
    }

    @Override
    public int poll() throws RdmaException {
        try {
            polled = true;
            int count = cq.poll(batch().completions);
            inOneLook += count;
            wasFull |= inOneLook >= cq.capacity();
            if (count < Batch.POLLED) {
                inOneLook = 0;
            }
            return count;
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    /** False if the completion queue has never had as many completions as it holds, so that none was lost. */
    public boolean wasFull() {
        return wasFull;
    }

    @Override
    public void processed() {
        polled = false;
        giveBackUnused();
    }

    @Override
    public int pollLimit() {
        return Batch.POLLED;
    }

    @Override
    public int capacity() {
        return cq.capacity();
    }

    @Override
    public WorkCompletion completion(int index) {
        return batch().completions[index];
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
