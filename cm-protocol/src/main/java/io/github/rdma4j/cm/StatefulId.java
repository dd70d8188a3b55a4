// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.locks.ReentrantLock;

/** The state of a CM id, and the lock under which commands and events change it. */
abstract class StatefulId {
    /** Serialises commands, and the processing of an event with the commands: an event finds the state they leave. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile CmState state;

    StatefulId(CmState state) {
        this.state = state;
    }

    /** Where the id stands; events change it when they are retrieved. */
    public CmState state() {
        return state;
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Under the lock: an event, or closing, has led to another state. */
    void enter(CmState next) {
        state = next;
    }

    @FunctionalInterface
    interface Action {
        void run() throws RdmaException;
    }

    /** Runs {@code action} if the state allows the command, and goes on to the state that it leads to. */
    void command(CmCommand command, Action action) throws RdmaException {
        lock.lock();
        try {
            CmState next = requireAllowed(command);
            action.run();
            state = next;
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
