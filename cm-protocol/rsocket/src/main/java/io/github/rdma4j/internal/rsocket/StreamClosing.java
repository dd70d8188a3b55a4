// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.Protocol;
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
 *
 * @param <L> what the stream has of the device
 * @param <E> its protocol
 */
public abstract class StreamClosing<L extends Link, E extends Protocol> extends StreamCore<L, E>
        implements AutoCloseable {
    /** Closes the connection and its queue pair. */
    private final FirstFailure.Step connection;

    /** How long a close waits for the peer; set when the close begins. */
    private volatile Duration patience = Duration.ZERO;

    /** A close waits for the peer, and no thread does. Guarded by the lock, as what follows. */
    private boolean leaving;

    /** The end of the patience of such a close. */
    private Future<?> limit = CompletableFuture.completedFuture(null);

    /** Held while the queues are destroyed. */
    private final ReentrantLock closing = new ReentrantLock();

    /** The queues are no more: nobody writes the memory. */
    private boolean destroyed;

    StreamClosing(FirstFailure.Step connection, L link, E engine, StreamSettings settings) {
        super(link, engine, settings);
        this.connection = connection;
    }

    /** The peer has told of itself, and may read and write. */
    final void begun() {
        AtExit.begun(this);
    }

    /**
     * Closes the stream, and waits until the peer has what was written, at most for the time of the settings. An interrupt does not
     * end the wait, since the bytes would be lost; the thread is interrupted afterwards.
     */
    @Override
    public final void close() throws IOException {
        close(settings.times().linger());
    }

    /** As {@link #close()}, with a limit; zero resets the connection. */
    public final void close(Duration linger) throws IOException {
        if (startClose(linger)) {
            finishClose();
        }
    }

    /** As {@link #close()}, but no thread waits. */
    public final void closeLater() {
        closeLater(settings.times().linger());
    }

    /** As {@link #closeLater()}, with a limit; zero resets the connection. */
    public final void closeLater(Duration linger) {
        if (startClose(linger)) {
            leave();
        }
    }

    /** Returns false if the stream is closed already. */
    private boolean startClose(Duration linger) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            patience = linger;
            sayEnd();
            changed();
            return true;
        } catch (RdmaException broken) {
            fail(Resets.reset(broken));
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void sayEnd() throws RdmaException {
        if (isUsable() && !patience.isZero()) {
            engine.disconnect();
            flush();
        }
    }

    /** The rest of a close without a thread: whoever processes completions finds out that the peer has everything. */
    private void leave() {
        boolean waits = false;
        lock.lock();
        try {
            if (!patience.isZero()) {
                watch();
                limit = StreamService.after(patience, this::giveUp);
                leaving = true;
                goOn();
                waits = true;
            }
        } catch (RdmaException | IllegalStateException | OutOfMemoryError noThread) {
            leaving = false; // another thread waits
        } finally {
            lock.unlock();
        }
        if (!waits) {
            StreamService.later(this::finishClose);
        }
    }

    /** Asks for the next event of a close that no thread waits for. Needs the lock. */
    private void goOn() {
        process();
        progressed();
        if (leaving && !request()) {
            StreamService.end(this::takeTurn); // others have theirs meanwhile
        }
    }

    private void takeTurn() {
        lock.lock();
        try {
            if (leaving) {
                goOn();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    final void eventTaken() {
        if (leaving) {
            goOn();
        }
    }

    @Override
    final void progressed() {
        if (leaving && (!isUsable() || engine.isDrained())) {
            left();
        }
    }

    private void giveUp() {
        lock.lock();
        try {
            if (leaving) {
                left();
            }
        } finally {
            lock.unlock();
        }
    }

    private void left() {
        leaving = false;
        limit.cancel(false);
        AtExit.over(this);
        StreamService.end(this::release);
    }

    private void finishClose() throws RdmaException {
        try {
            drain();
        } finally {
            release();
        }
    }

    private void drain() {
        boolean interrupted = false;
        long start = System.nanoTime();
        long left = patience.toNanos();
        lock.lock();
        try {
            sayEnd();
            process();
            while (isUsable() && !engine.isDrained() && left > 0) {
                try {
                    sleep(left);
                } catch (InterruptedException afterwards) {
                    interrupted = true;
                }
                left = patience.toNanos() - (System.nanoTime() - start);
            }
        } catch (IOException goesOnWithoutThePeer) {
            // The queues are destroyed next.
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** As {@link #abort()}, on a thread that may block. */
    public final void abortLater() {
        StreamService.end(this::abort);
    }

    /** Closes the stream without a word to the peer, which sees that the connection is reset. Nothing if a close has begun. */
    final void abort() throws RdmaException {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            changed();
        } finally {
            lock.unlock();
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
                link.free();
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
                endKeepAlive();
                FirstFailure first = new FirstFailure();
                first.attempt(connection);
                first.attempt(this::closeOthers);
                first.attempt(link::close);
                StreamService.of(settings.kernel()).endUse();
                first.throwIfAny();
                destroyed = true;
            }
        } finally {
            closing.unlock();
        }
    }

    /** Destroys the queues on another thread. */
    final void closeLinkLater() {
        StreamService.end(this::closeLink);
    }

    /** Nobody asks any more whether the peer's device answers. */
    abstract void endKeepAlive();

    /** Returns false if the link was closed before. */
    private boolean startClosingLink() {
        lock.lock();
        try {
            if (linkClosed) {
                return false;
            }
            linkClosed = true;
            waits.wakeFollowers();
            progressed();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends what the stream has beside its link. Called once, after the connection was closed. */
    protected void closeOthers() throws RdmaException {
        // Most streams have nothing else.
    }
}
