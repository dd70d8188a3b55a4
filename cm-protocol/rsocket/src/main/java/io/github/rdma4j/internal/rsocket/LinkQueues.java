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
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of a {@link Link} and the queue of its completions. A device that goes takes the queues with it, before or
 * after the stream hears of it: a queue that is closed is a failure of the device here, an {@link RdmaException} like the
 * others. Not safe for use by several threads.
 */
public final class LinkQueues {
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private @Nullable QueuePair qp;

    private LinkQueues(CompletionChannel channel, CompletionQueue cq) {
        this.channel = channel;
        this.cq = cq;
    }

    /** Creates the completion queue, for {@code entries} completions, on the device of {@code id}. */
    public static LinkQueues open(CmId id, int entries) throws RdmaException {
        CompletionChannel channel = id.context().createCompletionChannel();
        boolean done = false;
        try {
            LinkQueues made = new LinkQueues(channel, id.context().createCq(entries, 0, channel));
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

    /** Posts the first {@code count} requests, all of them. */
    public void postSend(SendWorkRequest[] requests, int count) throws RdmaException {
        int posted;
        try {
            posted = qp().postSend(requests, count);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
        if (posted < count) {
            throw new RdmaException("the send queue took " + posted + " of " + count + " requests of " + qp);
        }
    }

    /** Posts the first {@code count} receives. */
    public void postReceive(ReceiveWorkRequest[] requests, int count) throws RdmaException {
        try {
            qp().postReceive(requests, count);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    /** Takes the completions that there are; returns the number. */
    public int poll(WorkCompletion[] into) throws RdmaException {
        try {
            return cq.poll(into);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    /** The source of events of the completion queue. */
    public Pollable.Descriptor descriptor() {
        return channel.descriptor();
    }

    /** Requests an event for the next completion. */
    public void arm() throws RdmaException {
        try {
            cq.requestNotification(false);
        } catch (IllegalStateException closed) {
            throw gone(closed);
        }
    }

    /** Takes the event that was requested; returns false if it has not come. */
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
