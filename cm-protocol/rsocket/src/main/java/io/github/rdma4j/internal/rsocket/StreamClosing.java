// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How a stream is closed. What was written before reaches a peer that lives, within a time limit, whatever becomes of the thread
 * that closes, of the stream's owner, and of the program. Safe for use by several threads.
 */
final class StreamClosing implements AtExit.Open {
    private final StreamState state;
    private final StreamEvents events;
    private final StreamService service;

    /** Closes the connection with its queue pair, and what else uses the link. */
    private final FirstFailure.Step connection;

    /** How long a close waits for the peer; set when the close begins. */
    private volatile Duration patience = Duration.ZERO;

    /** The end of the patience of a close that no thread waits for. Guarded by the lock of the stream. */
    private Future<?> limit = CompletableFuture.completedFuture(null);

    /** Held while the queues are destroyed. */
    private final ReentrantLock closing = new ReentrantLock();

    /** The queues are no more: nobody writes the memory. */
    private boolean destroyed;

    StreamClosing(StreamState state, StreamEvents events, StreamService service, FirstFailure.Step connection) {
        this.state = state;
        this.events = events;
        this.service = service;
        this.connection = connection;
    }

    /** The peer has told of itself, and may read and write. */
    void begun() {
        AtExit.begun(this);
    }

    @Override
    public long uses() {
        state.lock.lock();
        try {
            return state.uses;
        } finally {
            state.lock.unlock();
        }
    }

    /** Closes the stream, and waits for the peer; zero resets the connection. */
    void close(Duration linger) throws IOException {
        if (startClose(linger)) {
            finishClose();
        }
    }

    /** Closes the stream, and waits for the peer; after {@code wait} no thread waits, and {@code linger} is left for the rest. */
    void close(Duration wait, Duration linger) throws IOException {
        if (startClose(linger)) {
            if (drain(wait)) {
                release();
            } else {
                leave();
            }
        }
    }

    @Override
    public void closeLater(Duration linger) {
        if (startClose(linger)) {
            leave();
        }
    }

    /** Returns false if the stream is closed already. */
    private boolean startClose(Duration linger) {
        state.lock.lock();
        try {
            if (state.closed) {
                return false;
            }
            state.closed = true;
            patience = linger;
            sayEnd();
            state.changed();
            return true;
        } catch (RdmaException broken) {
            state.fail(Resets.reset(broken));
            return true;
        } finally {
            state.lock.unlock();
        }
    }

    private void sayEnd() throws RdmaException {
        if (state.isUsable() && !patience.isZero()) {
            state.engine.disconnect();
            state.flush();
        }
    }

    /** The rest of a close without a thread: whoever processes completions finds out that the peer has everything. */
    private void leave() {
        boolean waits = false;
        state.lock.lock();
        try {
            if (!patience.isZero()) {
                events.watch();
                limit = StreamService.after(patience, this::giveUp);
                state.whenDrained = this::left;
                events.goOn();
                waits = true;
            }
        } catch (RdmaException | IllegalStateException | OutOfMemoryError noThread) {
            state.whenDrained = null; // another thread waits
        } finally {
            state.lock.unlock();
        }
        if (!waits) {
            StreamService.later(this::finishClose);
        }
    }

    private void giveUp() {
        state.lock.lock();
        try {
            if (state.whenDrained != null) {
                state.whenDrained = null;
                left();
            }
        } finally {
            state.lock.unlock();
        }
    }

    private void left() {
        limit.cancel(false);
        AtExit.over(this);
        StreamService.end(this::release);
    }

    private void finishClose() throws RdmaException {
        try {
            boolean unused = drain(patience);
        } finally {
            release();
        }
    }

    /** Returns true if there is nothing to wait for any more. */
    private boolean drain(Duration wait) {
        boolean interrupted = false;
        long start = System.nanoTime();
        long left = wait.toNanos();
        state.lock.lock();
        try {
            sayEnd();
            state.process();
            while (state.isUsable() && !state.engine.isDrained() && left > 0) {
                try {
                    events.sleep(left);
                } catch (InterruptedException afterwards) {
                    interrupted = true;
                }
                left = wait.toNanos() - (System.nanoTime() - start);
            }
            return !state.isUsable() || state.engine.isDrained();
        } catch (IOException goesOnWithoutTheThread) {
            return false;
        } finally {
            state.lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Closes the stream without a word to the peer, which sees that the connection is reset. Nothing if a close has begun. */
    void abort() throws RdmaException {
        state.lock.lock();
        try {
            if (state.closed) {
                return;
            }
            state.closed = true;
            state.changed();
        } finally {
            state.lock.unlock();
        }
        release();
    }

    /** Destroys the queues, and frees the memory unless the device may still write it. Called once. */
    private void release() throws RdmaException {
        AtExit.over(this);
        closing.lock();
        try {
            closeLink();
            if (destroyed) {
                state.link.free();
            }
        } finally {
            closing.unlock();
        }
    }

    /** Destroys the queues; who comes second waits for the first. What was received can still be read. */
    private void closeLink() throws RdmaException {
        closing.lock();
        try {
            if (startClosingLink()) {
                FirstFailure first = new FirstFailure();
                state.link.quiesce();
                first.attempt(connection);
                first.attempt(state.link::close);
                service.endUse();
                first.throwIfAny();
                destroyed = true;
            }
        } finally {
            closing.unlock();
        }
    }

    /** Destroys the queues on another thread. */
    void closeLinkLater() {
        StreamService.end(this::closeLink);
    }

    /** Returns false if the link was closed before. */
    private boolean startClosingLink() {
        state.lock.lock();
        try {
            if (state.linkClosed) {
                return false;
            }
            state.linkClosed = true;
            state.waits.wakeFollowers();
            state.progressed();
            return true;
        } finally {
            state.lock.unlock();
        }
    }
}
