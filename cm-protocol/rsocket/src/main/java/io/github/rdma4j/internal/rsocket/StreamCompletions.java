// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.Protocol;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The completions of a stream, and what they make of its state. The lock guards everything.
 *
 * @param <L> what the stream has of the device
 * @param <E> its protocol
 */
public abstract class StreamCompletions<L extends Link, E extends Protocol> {
    private static final int WR_FLUSH_ERR = WorkCompletionStatus.WR_FLUSH_ERR.code();

    /** What the stream has of the device. Guarded by the lock, but for the source of events. */
    protected final L link;

    /** The protocol. Guarded by the lock. */
    protected final E engine;

    /** Guards everything. */
    protected final ReentrantLock lock = new ReentrantLock();

    final StreamSettings settings;
    final StreamWaits waits;

    /** The peer has told of itself; what came before waits in the completion queue. */
    boolean begun;

    /** Why the stream can no longer be used; null while it can. */
    @Nullable
    IOException failure;

    /** The user has closed the stream. */
    protected boolean closed;

    /** The queues are destroyed, or about to be. */
    protected boolean linkClosed;

    /** The last look at the completion queue may have left something there. */
    boolean more;

    /** The peer has contradicted the protocol: what else it sends is not read. */
    private boolean deaf;

    /** The looks at the queue that found something. */
    long uses;

    /** Of an event loop. */
    private volatile Runnable onChange = () -> {};

    StreamCompletions(L link, E engine, StreamSettings settings) {
        this.link = link;
        this.engine = engine;
        this.settings = settings;
        this.waits = new StreamWaits(lock, link.descriptor());
    }

    /** The stream can no longer be used. Needs the lock. */
    protected final void fail(IOException why) {
        if (failure == null) {
            failure = why;
            engine.lost();
            changed();
        }
    }

    /** Sets what {@link #changed()} calls. */
    final void tellOf(Runnable action) {
        onChange = action;
    }

    /** Wakes whoever waits: something has changed that no completion tells of. Needs the lock. */
    final void changed() {
        waits.wake();
        try {
            onChange.run();
        } catch (RuntimeException | Error thrown) {
            StreamService.report(thrown);
        }
        progressed();
    }

    /** Something has happened to the stream. Called with the lock. */
    abstract void progressed();

    /**
     * Processes the completions that there are; returns true if there were any. A peer that sends without end ends this too: what
     * comes meanwhile may be left to the next call. Needs the lock.
     */
    protected final boolean process() {
        if (linkClosed || !begun) {
            return false;
        }
        boolean any = false;
        try {
            any = takeAll();
            if (failure == null && any) {
                if (!engine.peerGone()) {
                    link.flushReceives();
                }
                engine.proceed();
                link.flush();
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

    /** Takes at most what the queue holds, and so all that is there at the begin. */
    private boolean takeAll() throws RdmaException {
        int taken = 0;
        int count;
        do {
            count = link.poll();
            for (int i = 0; i < count; i++) {
                take(link.completion(i));
            }
            taken += count;
        } while (count == link.pollLimit() && taken < link.capacity());
        more = count == link.pollLimit();
        return taken > 0;
    }

    /** What has come is taken also after a failure, of a write for example: it can still be read. */
    private void take(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            if (!engine.peerGone() && !(engine.isDrained() && completion.rawStatus() == WR_FLUSH_ERR)) {
                fail(Resets.failed(completion));
            }
            engine.lost();
            return;
        }
        try {
            if (!completion.isReceive()) {
                if (failure == null) {
                    sent(completion.wrId());
                }
            } else if (!deaf) {
                received(completion);
            }
        } catch (RdmaException broken) {
            deaf = true;
            fail(Resets.reset(broken));
        }
    }

    /** Counts what has happened to the stream. */
    final long uses() {
        lock.lock();
        try {
            return uses;
        } finally {
            lock.unlock();
        }
    }

    /** A message has come. Needs the lock. */
    protected abstract void received(WorkCompletion completion) throws RdmaException;

    /** A send is complete, and all before it. Needs the lock. */
    protected abstract void sent(long number) throws RdmaException;

    /** Posts the sends that wait. Needs the lock. */
    protected final void flush() {
        if (linkClosed) {
            return;
        }
        try {
            link.flush();
        } catch (RdmaException broken) {
            fail(Resets.reset(broken));
        }
    }

    /** A request could not be posted: the stream can no longer be used. Returns the exception for the caller. */
    protected final IOException failed(Exception broken) {
        IOException why = Resets.reset(broken);
        fail(why);
        waits.wake();
        return why;
    }

    /** Throws why the stream can no longer be used, if so. Needs the lock. */
    protected final void throwFailure() throws IOException {
        if (failure != null) {
            throw Resets.again(failure);
        }
    }

    /** True while the queues are there, and nothing has failed. Needs the lock. */
    protected final boolean isUsable() {
        return failure == null && !linkClosed;
    }

    /** Refuses the use of a closed stream. Needs the lock. */
    protected final void requireOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }
}
