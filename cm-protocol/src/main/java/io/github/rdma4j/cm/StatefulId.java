// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;

/** The state of a CM id, and the lock under which commands and events change it. */
abstract class StatefulId {
    /** Serialises commands, and the processing of an event with the commands: an event finds the state they leave. */
    private final IdLock lock = new IdLock(this::eventsWait);

    private volatile CmState state;

    StatefulId(CmState state) {
        this.state = state;
    }

    /** Where the id stands; events change it when they are retrieved. */
    public CmState state() {
        return state;
    }

    IdLock lock() {
        return lock;
    }

    /** The lock was freed while events of the id wait to take effect. */
    abstract void eventsWait();

    /** Under the lock: an event, or closing, has led to another state. */
    void enter(CmState next) {
        state = next;
    }

    @FunctionalInterface
    interface Action {
        void run() throws RdmaException;
    }

    /**
     * Runs {@code action} if the state allows the command, and goes on to the state that it leads to. An error of the
     * kernel's gets to name the id, and what to do about it.
     */
    void command(CmCommand command, Action action) throws RdmaException {
        lock.lock();
        try {
            CmState next = requireAllowed(command);
            action.run();
            state = next;
        } catch (ErrnoException e) {
            throw e.of(this, Advice.on(command, e));
        } finally {
            lock.unlock();
        }
    }

    /** Where the command leads. */
    CmState requireAllowed(CmCommand command) {
        ensureOpen();
        return CmStateMachine.after(state, command)
                .orElseThrow(() -> new IllegalStateException(command + " is not possible for " + this + "; it is from "
                        + CmStateMachine.statesFor(command)));
    }

    void ensureOpen() {
        if (state == CmState.DESTROYED) {
            throw new IllegalStateException(this + " is closed");
        }
    }
}
