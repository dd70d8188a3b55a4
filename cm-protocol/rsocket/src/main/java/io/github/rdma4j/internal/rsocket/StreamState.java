// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.connections.Traffic;
import io.github.rdma4j.internal.rsocket.wire.Protocol;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The state of a stream on any wire, and what completions make of it. The lock guards everything; all methods need it. */
public final class StreamState {
    private static final int WR_FLUSH_ERR = WorkCompletionStatus.WR_FLUSH_ERR.code();

    final ReentrantLock lock = new ReentrantLock();
    final Link link;
    final Link.WorkQueues queues;
    final Protocol engine;
    final StreamWaits waits;
    private final Traffic traffic = new Traffic();

    /** The peer has told of itself; what came before waits in the completion queue. */
    boolean begun;

    /** Why the stream can no longer be used; null while it can. */
    @Nullable
    IOException failure;

    /** The user has closed the stream. */
    boolean closed;

    /** The queues are destroyed, or about to be. */
    boolean linkClosed;

    /** The last look at the completion queue may have left something there. */
    boolean more;

    /** The peer has contradicted the protocol: what else it sends is not read. */
    private boolean deaf;

    /** The looks at the queue that found something. */
    long uses;

    /** What is done when a close that no thread waits for has nothing more to wait for; null if there is no such close. */
    @Nullable
    Runnable whenDrained;

    /** Of an event loop. */
    volatile Runnable onChange = () -> {};

    StreamState(Link link, Protocol engine) {
        this.link = link;
        this.engine = engine;
        queues = link.queues();
        waits = new StreamWaits(lock, queues.descriptor());
    }

    /** What the stream has carried. */
    public Traffic traffic() {
        return traffic;
    }

    /** The stream can no longer be used. */
    void fail(IOException why) {
        if (failure == null) {
            failure = why;
            engine.lost();
            changed();
        }
    }

    /** Wakes whoever waits: something has changed that no completion tells of. */
    void changed() {
        waits.wake();
        StreamService.tell(onChange);
        progressed();
    }

    /** Something has happened to the stream. */
    void progressed() {
        Runnable drained = whenDrained;
        if (drained != null && (!isUsable() || engine.isDrained())) {
            whenDrained = null;
            drained.run();
        }
    }

    /**
     * Processes the completions that there are; returns true if there were any. A peer that sends without end ends this too: what
     * comes meanwhile may be left to the next call.
     */
    public boolean process() {
        if (linkClosed || !begun) {
            return false;
        }
        boolean any = false;
        try {
            any = takeAll();
            if (failure == null && any) {
                answer();
            }
        } catch (RdmaException broken) {
            fail(Resets.reset(broken));
            any = true;
        }
        if (any) {
            uses++;
            progressed();
        }
        return any;
    }

    /** Posts the receives again that were read, and what the peer gets for them. */
    public void answer() throws RdmaException {
        if (!engine.peerGone()) {
            queues.flushReceives();
        }
        engine.proceed();
        queues.flush();
    }

    /** Takes at most what the queue holds, and so all that is there at the begin. */
    private boolean takeAll() throws RdmaException {
        int taken = 0;
        int count;
        try {
            do {
                count = queues.poll();
                for (int i = 0; i < count; i++) {
                    take(queues.completion(i));
                }
                taken += count;
            } while (count == queues.pollLimit() && taken < queues.capacity());
        } finally {
            queues.processed();
        }
        more = count == queues.pollLimit();
        return taken > 0;
    }

    /** What has come is taken also after a failure, of a write for example: it can still be read. */
    private void take(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            if (!engine.peerGone() && !(engine.isDrained() && completion.rawStatus() == WR_FLUSH_ERR)) {
                fail(Resets.failed(completion));
            }
            link.drop(completion);
            engine.lost();
            return;
        }
        try {
            if (!completion.isReceive()) {
                if (failure == null) {
                    engine.sent(completion.wrId());
                }
            } else if (deaf) {
                link.drop(completion);
            } else {
                link.receive(completion);
            }
        } catch (RdmaException broken) {
            deaf = true;
            fail(Resets.reset(broken));
        }
    }

    /** Posts the sends that wait. */
    public void flush() {
        if (linkClosed) {
            return;
        }
        try {
            queues.flush();
        } catch (RdmaException broken) {
            fail(Resets.reset(broken));
        }
    }

    /** A request could not be posted: the stream can no longer be used. Returns the exception for the caller. */
    public IOException failed(Exception broken) {
        IOException why = Resets.reset(broken);
        fail(why);
        waits.wake();
        return why;
    }

    /** Throws why the stream can no longer be used, if so. */
    public void throwFailure() throws IOException {
        if (failure != null) {
            throw Resets.again(failure);
        }
    }

    /** True while the queues are there, and nothing has failed. */
    public boolean isUsable() {
        return failure == null && !linkClosed;
    }

    /** True if a write fails at once. */
    public boolean isOutputOver() {
        return closed || !isUsable() || !engine.outputOpen() || engine.peerGone();
    }

    /** Refuses the use of a closed stream. */
    public void requireOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /** Refuses a write that cannot succeed. */
    public void requireOutput() throws IOException {
        requireOpen();
        throwFailure();
        if (!engine.outputOpen()) {
            throw new ClosedChannelException();
        }
        if (engine.peerGone()) {
            throw Resets.brokenPipe();
        }
    }
}
