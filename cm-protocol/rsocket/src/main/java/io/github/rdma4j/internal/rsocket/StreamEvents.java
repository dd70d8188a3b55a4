// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;

/** The events of a stream's completion queue: asks for them, sleeps for them, and reads them. All methods need the lock. */
final class StreamEvents {
    private final StreamState state;
    private final StreamService service;

    /** The thread that sleeps for virtual threads knows of the stream. */
    private boolean watched;

    /** An event was requested and has not been read. */
    private boolean armed;

    StreamEvents(StreamState state, StreamService service) {
        this.state = state;
        this.service = service;
    }

    /** Sleeps until something may have happened; at most {@code nanos}. */
    void sleep(long nanos) throws IOException, InterruptedException {
        if (state.waits.isLed()) {
            state.waits.follow(nanos);
            return;
        }
        if (VirtualThreads.isCurrent()) {
            followWatcher(nanos);
            return;
        }
        if (request()) {
            state.waits.lead(nanos);
            read();
        }
        if (state.process()) {
            state.waits.wakeFollowers();
        }
    }

    /** A virtual thread does not sleep in a system call, which would hold its carrier. */
    private void followWatcher(long nanos) throws IOException, InterruptedException {
        try {
            watch();
        } catch (IllegalStateException closed) {
            state.fail(Resets.reset(closed));
            return;
        }
        if (request()) {
            state.waits.follow(nanos);
        }
    }

    /** Has a thread that sleeps for all take the events of the stream. */
    void watch() throws RdmaException {
        if (!watched) {
            service.watch(state.queues.descriptor(), this::came);
            watched = true;
        }
    }

    /** The completion channel has an event; called by the thread that sleeps for all, without the lock. */
    private void came() throws InterruptedException {
        state.lock.lock();
        try {
            read();
            state.process();
            state.waits.wake(); // a thread that leads sleeps for the event that was taken
        } finally {
            state.lock.unlock();
        }
    }

    /** Requests an event; returns false if there was something to process already. */
    boolean request() {
        if (state.linkClosed) {
            return false;
        }
        if (armed && !state.more) {
            return true;
        }
        if (!armed) {
            try {
                state.queues.arm();
            } catch (RdmaException broken) {
                state.fail(Resets.reset(broken));
                return false;
            }
            armed = true;
        }
        return !state.process();
    }

    /** Also while the link is being closed: an event that nobody reads wakes those who watch the descriptor again and again. */
    void read() throws InterruptedException {
        try {
            if (state.queues.takeEvent()) {
                armed = false;
                goOn();
            }
        } catch (RdmaException broken) {
            if (!state.linkClosed) {
                state.fail(Resets.reset(broken));
            }
        }
    }

    /** Asks for the next event of a close that no thread waits for. */
    void goOn() {
        if (state.whenDrained == null) {
            return;
        }
        state.process();
        state.progressed();
        if (state.whenDrained != null && !request()) {
            StreamService.end(this::takeTurn); // others have theirs meanwhile
        }
    }

    private void takeTurn() {
        state.lock.lock();
        try {
            goOn();
        } finally {
            state.lock.unlock();
        }
    }
}
