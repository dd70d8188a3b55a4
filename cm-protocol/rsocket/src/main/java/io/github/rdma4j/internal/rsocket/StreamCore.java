// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.Protocol;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;

/**
 * What a stream is ready for, and the threads that wait for it.
 *
 * @param <L> what the stream has of the device
 * @param <E> its protocol
 */
public abstract class StreamCore<L extends Link, E extends Protocol> extends StreamCompletions<L, E> {
    /** The stream can be read, or is at its end. */
    public static final int READABLE = 1;

    /** The stream can be written, or a write fails at once. */
    public static final int WRITABLE = 2;

    /** The memory of the peer can be written, or such a write fails at once. */
    public static final int WRITABLE_DIRECTLY = 4;

    /** No byte will come any more: a read returns -1, or throws. */
    public static final int ENDED = 8;

    /** The thread that sleeps for virtual threads knows of the stream. */
    private boolean watched;

    /** An event was requested and has not been read. */
    private boolean armed;

    /** The uses of the stream at the last {@link #ready()}. */
    private long usesAsked;

    StreamCore(L link, E engine, StreamSettings settings) {
        super(link, engine, settings);
    }

    // Waiting.

    /** What can be done without waiting, as the sum of the constants. Processes completions. */
    public final int ready() {
        lock.lock();
        try {
            process();
            usesAsked = uses;
            return readyNow();
        } finally {
            lock.unlock();
        }
    }

    private int readyNow() {
        boolean over = closed || failure != null;
        int readable = over || engine.available() > 0 || engine.atEnd() ? READABLE : 0;
        boolean shut = over || !engine.outputOpen() || engine.peerGone();
        int writable = shut || engine.maySend() ? WRITABLE : 0;
        int ended = engine.atEnd() || (over && engine.available() == 0) ? ENDED : 0;
        return readable | writable | ended | (shut || mayWriteDirectly() ? WRITABLE_DIRECTLY : 0);
    }

    /** True if the peer has said that it listens no more, and nothing has failed. */
    public final boolean isPeerGone() {
        lock.lock();
        try {
            return engine.peerGone() && failure == null;
        } finally {
            lock.unlock();
        }
    }

    /** True if the memory of the peer can be written now. Needs the lock. */
    protected boolean mayWriteDirectly() {
        return false;
    }

    /**
     * Waits until one of {@code what} is ready, the stream is closed, or the time is over.
     *
     * @param what {@link #READABLE}, {@link #WRITABLE} or {@link #WRITABLE_DIRECTLY}
     * @param nanos the limit; {@link Long#MAX_VALUE} for none
     * @return false if the time is over
     * @throws AsynchronousCloseException if another thread closes the stream
     */
    public final boolean await(int what, long nanos) throws IOException, InterruptedException {
        long start = nanos == Long.MAX_VALUE ? 0 : System.nanoTime();
        lock.lock();
        try {
            requireOpen();
            poll(what);
            long left = nanos;
            while ((readyNow() & what) == 0) {
                if (left <= 0) {
                    return false;
                }
                sleep(left);
                left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - start);
            }
            if (closed) {
                throw new AsynchronousCloseException();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Polls for a short time, because a sleep costs three system calls. */
    private void poll(int what) {
        process();
        long limit = settings.times().polling().toNanos();
        if (limit > 0 && (readyNow() & what) == 0) {
            long start = System.nanoTime();
            while ((readyNow() & what) == 0 && System.nanoTime() - start < limit) {
                Thread.onSpinWait();
                process();
            }
        }
    }

    final void sleep(long nanos) throws IOException, InterruptedException {
        if (waits.isLed()) {
            waits.follow(nanos);
            return;
        }
        if (VirtualThreads.isCurrent()) {
            followWatcher(nanos);
            return;
        }
        if (request()) {
            waits.lead(nanos);
            readEvent();
        }
        if (process()) {
            waits.wakeFollowers();
        }
    }

    /** A virtual thread does not sleep in a system call, which would hold its carrier. */
    private void followWatcher(long nanos) throws IOException, InterruptedException {
        try {
            watch();
        } catch (IllegalStateException closed) {
            fail(Resets.reset(closed));
            return;
        }
        if (request()) {
            waits.follow(nanos);
        }
    }

    /** Has a thread that sleeps for all take the events of the stream. Needs the lock. */
    final void watch() throws RdmaException {
        if (!watched) {
            StreamService.of(settings.kernel()).watch(new Watched(this, link.descriptor()));
            watched = true;
        }
    }

    /** The completion channel has an event; called by the thread that sleeps for virtual threads. */
    final void eventCame() throws InterruptedException {
        lock.lock();
        try {
            readEvent();
            process();
            waits.wake(); // a thread that leads sleeps for the event that was taken
        } finally {
            lock.unlock();
        }
    }

    /** The completion channel of a stream, as a source of events. */
    record Watched(StreamCore<?, ?> stream, Pollable.Descriptor descriptor) implements Pollable {}

    /** Requests an event; returns false if there was something to process already. Needs the lock. */
    final boolean request() {
        if (linkClosed) {
            return false;
        }
        if (armed && !more) {
            return true;
        }
        if (!armed) {
            try {
                link.arm();
            } catch (RdmaException broken) {
                fail(Resets.reset(broken));
                return false;
            }
            armed = true;
        }
        return !process();
    }

    /** An event was read, and none is requested. Called with the lock. */
    abstract void eventTaken();

    /** Also while the link is being closed: an event that nobody reads wakes those who watch the descriptor again and again. */
    private void readEvent() throws InterruptedException {
        try {
            if (link.takeEvent()) {
                armed = false;
                eventTaken();
            }
        } catch (RdmaException broken) {
            if (!linkClosed) {
                fail(Resets.reset(broken));
            }
        }
    }

    // For an event loop.

    /** The source of events, which is readable after the completion that {@link #arm} asked for. */
    public final Pollable.Descriptor descriptor() {
        return link.descriptor();
    }

    /**
     * Asks for an event of the descriptor at the next completion, and looks at what is ready then, in one step: another thread
     * that uses the stream may take completions between two steps, and nobody would tell of what they bring.
     *
     * @param what what is waited for, as the sum of the constants
     * @return false if one of {@code what} is ready, or something has happened: ask {@link #ready()} again, instead of sleeping.
     *     True also after the end of the connection, when nothing changes any more
     */
    public final boolean arm(int what) {
        lock.lock();
        try {
            boolean quiet = linkClosed || failure != null || request();
            return quiet && (readyNow() & what) == 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #arm}, for a loop that alone asks {@link #ready()}, and waits for whatever its answer did not have: completions that
     * any thread has taken since that question forbid the sleep.
     */
    public final boolean armSinceReady() {
        lock.lock();
        try {
            return linkClosed || failure != null || (uses == usesAsked && request());
        } finally {
            lock.unlock();
        }
    }

    /** Reads the event of a readable descriptor, so that it is readable no longer. */
    public final void takeEvent() {
        lock.lock();
        try {
            readEvent();
        } catch (InterruptedException impossible) {
            throw new AssertionError("reading an event does not wait", impossible);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets what is called when {@link #ready()} may have changed although no completion has come: another thread has shut down
     * or closed the stream, or the connection or the device is gone. The action runs on whichever thread made the change, with
     * the lock of the stream: it may wake a loop, and must neither wait nor use the stream. What it throws goes to the
     * thread's handler of uncaught exceptions. Ask {@link #ready()} after this, for what has happened before.
     */
    public final void onChange(Runnable action) {
        tellOf(action);
    }
}
